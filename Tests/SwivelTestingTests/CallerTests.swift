// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// A test's mistake is shown where the test made it, not in the library.
@Suite struct CallerTests {
    enum Mistake: String, CaseIterable, Codable, Sendable {
        case advance, advanceTo, nextDeadline, idle, stuck, step, drawing

        func make() throws {
            let (loop, real) = (try Loop.manual(), try Loop.embedded())
            switch self {
            case .advance: real.advance(by: .seconds(1))
            case .advanceTo: real.advance(to: .never)
            case .nextDeadline: real.advanceToNextDeadline()
            case .idle: try real.runUntilIdle()
            case .stuck:
                @Sendable func again() { loop.execute { again() } }
                again()
                loop.advance(by: .seconds(1))
            case .step: _ = Timeline(on: loop, step: .zero)
            case .drawing: loop.play("a", step: .zero) { _ in }
            }
        }
    }

    enum SuspendingMistake: String, CaseIterable, Codable, Sendable {
        case advance, advanceTo, nextDeadline, idle, pending, untilDone, onTheLoop

        func make() async throws {
            let real = try Loop.embedded()
            switch self {
            case .advance: await real.advance(by: .seconds(1))
            case .advanceTo: await real.advance(to: .never)
            case .nextDeadline: await real.advanceToNextDeadline()
            case .idle: try await real.runUntilIdle()
            case .pending: try await real.waitForPending()
            case .untilDone: try await real.advanceUntilDone {}
            case .onTheLoop:
                let loop = try Loop.manual()
                let task = Task(executorPreference: loop.taskExecutor) {
                    await loop.advance(by: .seconds(1))
                }
                await loop.advance(by: .seconds(1))
                await task.value
            }
        }
    }

    @Test(arguments: Mistake.allCases) func aTrapNamesTheTestsLine(_ mistake: Mistake)
        async throws
    {
        let result = try await #require(
            processExitsWith: .failure, observing: standardError
        ) { [mistake = mistake as Mistake] in
            try exitTest { try mistake.make() }
        }
        #expect(printed("SwivelTestingTests/CallerTests.swift:", result))
        #expect(printed("Fatal error: Swivel: ", result))
    }

    @Test(arguments: SuspendingMistake.allCases)
    func aTrapNamesTheLineOfASuspendingTest(_ mistake: SuspendingMistake) async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: standardError
        ) { [mistake = mistake as SuspendingMistake] in
            try await suspendingExitTest { try await mistake.make() }
        }
        #expect(printed("SwivelTestingTests/CallerTests.swift:", result))
        #expect(printed("Fatal error: Swivel: ", result))
    }
}
