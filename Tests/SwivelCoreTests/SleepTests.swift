// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Sleeps on a loop's clock, in virtual time.
@Suite(.offPool) struct SleepTests {
    /// The outcome of a sleep.
    private enum Outcome: Equatable, Sendable {
        case woke(atMillisecond: Int)
        case cancelled
        case failed(SwivelError.Code)
    }

    /// A task on `loop` that sleeps once.
    private func sleeper(
        on loop: Loop, _ outcomes: Shared<[Outcome]>,
        _ sleep: @escaping @Sendable (LoopClock) async throws -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: loop.taskExecutor) {
            do {
                try await sleep(loop.clock)
                outcomes.append(.woke(atMillisecond: loop.elapsed))
            } catch is CancellationError {
                outcomes.append(.cancelled)
            } catch {
                outcomes.append(.failed((error as? SwivelError)?.code ?? .system))
            }
        }
    }

    /// The handle that a manual loop lists for a sleep ends the sleep as a cancel of its task does.
    @Test func aListedSleepCanBeCancelled() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        _ = sleeper(on: loop, outcomes) { try await $0.sleep(for: .seconds(1)) }
        loop.runDue()
        #expect(loop.pending.first?.handle?.cancel() == .cancelled)
        loop.advance(by: .seconds(2))
        #expect(outcomes.value == [.cancelled] && loop.pending.isEmpty)
    }

    /// T1 and T2: at its instant, not before, in order.
    @Test func sleepsEndAtTheirInstantsInOrder() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        for delay in [30, 10, 20] {
            _ = sleeper(on: loop, outcomes) { try await $0.sleep(for: .milliseconds(delay)) }
        }
        _ = sleeper(on: loop, outcomes) { clock in
            try await clock.sleep(until: epoch.advanced(by: .milliseconds(15)))
        }
        loop.runDue()
        #expect(loop.metrics.pending == 4)
        loop.advance(by: .nanoseconds(9_999_999))
        #expect(outcomes.value.isEmpty)
        loop.advance(by: .seconds(1))
        #expect(outcomes.value == [10, 15, 20, 30].map { .woke(atMillisecond: $0) })
        #expect(loop.metrics.pending == 0)
    }

    /// The generic forms of the standard library.
    @Test func theClockIsAClock() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        _ = sleeper(on: loop, outcomes) { try await generic($0, .milliseconds(10)) }
        _ = sleeper(on: loop, outcomes) {
            try await Task.sleep(for: .milliseconds(20), clock: $0)
        }
        _ = sleeper(on: loop, outcomes) {
            try await Task.sleep(until: $0.now + .milliseconds(30), tolerance: .zero, clock: $0)
        }
        loop.advance(by: .seconds(1))
        #expect(outcomes.value == [10, 20, 30].map { .woke(atMillisecond: $0) })
        let measured = loop.inside { LoopClock().measure { loop.advance(by: .seconds(2)) } }
        #expect(measured == .seconds(2))
    }

    /// T6: it never ends, and can be cancelled.
    @Test func anEndlessSleepIsCancelled() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        let task = sleeper(on: loop, outcomes) { try await $0.sleep(until: .never) }
        loop.advance(by: .seconds(Int64(1) << 33))
        #expect(outcomes.value.isEmpty)
        task.cancel()
        loop.runDue()
        #expect(outcomes.value == [.cancelled])
    }

    /// R1: a cancel frees the node at once, on any thread.
    @Test(arguments: [true, false])
    func aCancelFreesTheNodeAtOnce(onTheLoop: Bool) throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        let tasks = (0..<100).map { _ in
            sleeper(on: loop, outcomes) { try await $0.sleep(for: .hours(1)) }
        }
        loop.runDue()
        #expect(loop.metrics.pending == 100)
        if onTheLoop {
            let pending = loop.inside {
                tasks.forEach { $0.cancel() }
                return loop.metrics.pending
            }
            #expect(pending == 0)
        } else {
            tasks.forEach { $0.cancel() }
            loop.runDue()
        }
        #expect(outcomes.value == Array(repeating: .cancelled, count: 100))
        #expect(loop.metrics.pending == 0 && loop.metrics.cancelled == 100)
        loop.advance(by: .hours(2))
        #expect(loop.metrics.fired == 0)
    }

    /// A sleep may end up to its tolerance later, never earlier.
    @Test func toleranceLetsSleepsShareAWakeUp() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        for delay in 1...50 {
            _ = sleeper(on: loop, outcomes) {
                try await $0.sleep(for: .milliseconds(delay), tolerance: .milliseconds(100))
            }
        }
        loop.runDue()
        let turns = loop.metrics.turns
        loop.advance(by: .milliseconds(200))
        #expect(outcomes.value.count == 50)
        #expect(loop.metrics.turns - turns < 25, "many ended together")
        for (index, outcome) in outcomes.value.enumerated() {
            guard case .woke(let instant) = outcome else { continue }
            #expect(instant >= 1 && instant <= 150, "\(index)")
        }
    }

    /// T5: a sleep until an instant that has passed does not wait for its tolerance.
    @Test func aPassedSleepEndsAtOnce() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        loop.advance(by: .milliseconds(7))
        for instant in [epoch, loop.now] {
            _ = sleeper(on: loop, outcomes) {
                try await $0.sleep(until: instant, tolerance: .seconds(3600))
            }
        }
        loop.runDue()
        #expect(outcomes.value == [.woke(atMillisecond: 7), .woke(atMillisecond: 7)])
    }

    /// A loop's end ends its sleeps.
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(1))])
    func shutdownEndsSleeps(mode: ShutdownMode) throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        let task = sleeper(on: loop, outcomes) { try await $0.sleep(for: .hours(1)) }
        loop.runDue()
        let report = loop.shutdown(mode)
        #expect(report.cancelledTimers == 1)
        #expect(ended(task) != nil)
        #expect(outcomes.value == [.failed(.shutdown)])
    }

    @Test func aSleepAfterShutdownFails() throws {
        let loop = try manualLoop()
        loop.shutdown()
        let outcomes = Shared<[Outcome]>()
        let task = sleeper(on: loop, outcomes) { try await $0.sleep(for: .hours(1)) }
        #expect(ended(task) != nil)
        #expect(outcomes.value == [.failed(.shutdown)])
    }

    /// `LoopClock()` is the clock of the loop that is current, else of `Loop.shared`.
    @Test func aClockWithoutALoopTakesTheCurrentOne() throws {
        let loop = try manualLoop()
        let outcomes = Shared<[Outcome]>()
        _ = sleeper(on: loop, outcomes) { _ in
            #expect(LoopClock().now == loop.now)
            try await LoopClock().sleep(for: .milliseconds(10))
        }
        loop.runDue()
        #expect(loop.metrics.pending == 1)
        loop.advance(by: .milliseconds(10))
        #expect(outcomes.value == [.woke(atMillisecond: 10)])
        let task = Task.detached { (try? await LoopClock().sleep(for: .nanoseconds(1))) != nil }
        #expect(ended(task) == true)
    }

    /// Made in a manual loop's jobs it is that loop's clock for good: `Task.sleep` leaves the actor
    /// that calls it.
    @Test func aClockMadeOnAManualLoopIsVirtualElsewhere() async throws {
        let loop = try manualLoop()
        let resident = Resident(loop)
        let task = Task { try await resident.doze(.seconds(3600)) }
        try await loop.waitForPending()
        await loop.advance(by: .seconds(3600))
        #expect(loop.pending.isEmpty)
        task.cancel()
        try await task.value
    }
}

private func generic<C: Clock>(_ clock: C, _ duration: C.Duration) async throws {
    try await clock.sleep(for: duration)
}
