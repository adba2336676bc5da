// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// Time waits for the start of a test's own tasks.
@Suite struct TaskStartTests {
    /// No test here may be carried by the end of its loop's patience.
    private static let forAges = Duration.seconds(1_000_000)

    /// Where a test's own task starts.
    enum Start: CaseIterable, Sendable {
        case anywhere, onAnActor, byAnActor, byABusyActor, byTheMainActor, onTheMainActor, onTheLoop
    }

    /// Starts tasks that inherit it.
    private actor Starter {
        func start(_ body: @escaping @Sendable () -> Void) {
            Task {
                touch()
                body()
            }
        }

        /// Leaves a task behind that this actor runs next to its next caller.
        func startAfterAnother(_ body: @escaping @Sendable () -> Void) {
            Task { await Task.yield() }
            start(body)
        }

        func touch() {}
    }

    @MainActor private static func startOnMain(_ body: @escaping @Sendable () -> Void) {
        Task { body() }
    }

    /// A task that a test has made has started before time moves, wherever it starts.
    @Test(arguments: Start.allCases) func aTasksStartIsNotPassedOver(_ start: Start) async throws {
        let starter = Starter()
        for _ in 0..<Machine.scaled(200) {
            let loop = try Loop.manual(patience: Self.forAges)
            let actor = LoopMeter(loop)
            for second in 0..<3 {
                let started = Shared<[Duration]>()
                let body: @Sendable () -> Void = { started.append(loop.elapsedTime) }
                switch start {
                case .anywhere: Task { body() }
                case .onAnActor:
                    Task {
                        await starter.touch()
                        body()
                    }
                case .byAnActor: await starter.start(body)
                case .byABusyActor: await starter.startAfterAnother(body)
                case .byTheMainActor: await Self.startOnMain(body)
                case .onTheMainActor: Task { @MainActor in body() }
                case .onTheLoop:
                    Task {
                        await actor.touch()
                        body()
                    }
                }
                await loop.advance(by: .seconds(1))
                #expect(started.value == [.seconds(second)])
            }
        }
    }
}
