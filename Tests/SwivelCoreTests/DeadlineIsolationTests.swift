// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// The body of `withDeadline` runs where its caller does.
@Suite(.offPool) struct DeadlineIsolationTests {
    /// An actor with a state that only its own code can touch.
    private actor Counter {
        private var steps = 0

        /// Runs a body on the actor from its first to its last step, and returns their number.
        func count<C: Clock>(_ clock: C, until end: C.Instant) async -> Int {
            await withDeadline(end, clock: clock) {
                steps += 1
                assertIsolated()
                await Task.yield()
                assertIsolated()
                steps += 1
            }
            assertIsolated()
            return steps
        }
    }

    /// An actor that lives on a loop.
    private actor Guest {
        nonisolated let loop: Loop

        init(_ loop: Loop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            loop.serialExecutor.asUnownedSerialExecutor()
        }

        func places() async -> [Bool] { await DeadlineIsolationTests.places(on: loop) }
    }

    /// Whether a body that is written for no actor runs on the loop.
    private nonisolated(nonsending) static func places(on loop: Loop) async -> [Bool] {
        await withDeadline(in: .seconds(3600)) {
            let first = loop.isCurrent
            await Task.yield()
            return [first, loop.isCurrent]
        }
    }

    /// A body that is bound to no actor runs on its caller's.
    @Test func theBodyTakesTheCallersIsolation() async throws {
        let loop = try threadedLoop()
        #expect(await Guest(loop).places() == [true, true])
        #expect(await Self.places(on: loop) == [false, false])
        await loop.shutdown()
    }

    @Test func theBodyStaysOnAnActor() async {
        let end = ContinuousClock.now + .seconds(3600)
        #expect(await Counter().count(ContinuousClock(), until: end) == 2)
        // A clock of one's own, and a deadline that has passed.
        #expect(await Counter().count(OwnClock(), until: .init(second: 1)) == 2)
        #expect(await Counter().count(OwnClock(), until: .init(second: 0)) == 2)
    }

    @Test @MainActor func theBodyStaysOnTheMainActor() async {
        var steps = 0
        await withDeadline(in: .seconds(3600)) {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            steps += 1
        }
        MainActor.assertIsolated()
        #expect(steps == 1)
    }

    /// A body that is on no actor does not visit the caller's, which may be blocked.
    @Test func theBodyStaysOnTheLoop() throws {
        let loop = try manualLoop()
        let places = Shared<[Bool]>()
        Task(executorPreference: loop.taskExecutor) {
            await withDeadline(in: .seconds(1)) {
                places.append(loop.isCurrent)
                await Task.yield()
                places.append(loop.isCurrent)
            }
            places.append(loop.isCurrent)
        }
        loop.runDue()
        #expect(places.value == [true, true, true])
    }

    /// The body of a `withTimeout` is where it was written: on no actor if it is a function's.
    @Test @MainActor func theBodyOfATimeoutChoosesItsPlace() async throws {
        let onMain = try await withTimeout(.seconds(3600)) {
            MainActor.assertIsolated()
            return true
        }
        #expect(onMain)
        let elsewhere: @Sendable () async -> Bool = { Self.isOffMain() }
        #expect(try await withTimeout(.seconds(3600), elsewhere))
    }

    /// Not asynchronous, where the main thread cannot be recognized.
    private static func isOffMain() -> Bool { !Thread.isMainThread }
}
