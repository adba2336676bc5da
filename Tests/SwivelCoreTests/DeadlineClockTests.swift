// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Deadlines on real clocks and on clocks of a test's own, and what a shutdown does to them.
@Suite(.offPool) struct DeadlineClockTests {
    /// T1, for each clock, on a loop's thread and elsewhere.
    @Test(arguments: [true, false]) func realDeadlinesAreNeverEarly(onTheLoop: Bool) async throws {
        let loop = try threadedLoop()
        await Task(executorPreference: onTheLoop ? loop.taskExecutor : nil) {
            for microseconds in 0..<100 {
                let limit = Duration.microseconds(microseconds * 7)
                await isNotEarly(ContinuousClock(), limit)
                await isNotEarly(SuspendingClock(), limit)
                await isNotEarly(loop.clock, limit)
                await isNotEarly(LoopClock(), limit)
            }
        }.value
        #expect(loop.metrics.pending == 0)
        await loop.shutdown()
    }

    private nonisolated(nonsending) func isNotEarly<C: Clock>(
        _ clock: C, _ limit: C.Instant.Duration
    ) async {
        let end = clock.now.advanced(by: limit)
        await withDeadline(end, clock: clock) { await untilCancelled() }
        #expect(clock.now >= end)
    }

    /// The loop's clock may be ahead of the deadline's: the timer is armed again.
    @Test func aTimerThatIsEarlyIsArmedAgain() throws {
        let loop = try manualLoop()
        let real = try threadedLoop()
        defer { real.shutdown() }
        let end = ContinuousClock.now + .seconds(3600)
        let deadline = Deadline(.continuous(end), in: nil, tolerance: nil, on: real)
        let core = TimeoutCore(until: epoch + .seconds(1), fixed: deadline)
        let timer = core.timer(on: loop)
        timer.arm(at: core.deadline)
        loop.advance(by: .seconds(1))
        #expect(core.reason == nil && timer.isArmed)
        #expect(core.deadline > epoch + .seconds(1) && core.deadline < epoch + .seconds(3700))
        loop.advance(by: .seconds(3700))
        // In real time an hour has not passed.
        #expect(core.reason == nil && timer.isArmed)
        core.stop(.timedOut)
    }

    /// A clock that no loop knows wakes a task of its own, which ends with the body.
    @Test func anotherClockKeepsItsOwnTime() async {
        let clock = OwnClock()
        let body = Task {
            await withDeadline(in: .init(count: 5), tolerance: .init(count: 2), clock: clock) {
                await untilCancelled()
                return clock.now.second
            }
        }
        #expect(eventually { clock.sleeping == 1 })
        clock.advance(by: 4)
        #expect(clock.sleeping == 1)
        clock.advance(by: 1)
        #expect(await body.value == 5 && clock.tolerances == [.init(count: 2)])
        let value = await withDeadline(.init(second: 9), clock: clock) {
            // The sleep is another task of this thread.
            while clock.sleeping == 0 { await Task.yield() }
            return 7
        }
        #expect(value == 7 && clock.sleeping == 0 && clock.tolerances.last == .some(nil))
    }

    /// A deadline of such a clock that has passed; a clock that fails; a caller that is cancelled.
    @Test func anotherClocksTimeMayBeOver() async {
        let clock = OwnClock()
        let isCancelled = await withDeadline(clock.now, clock: clock) { Task.isCancelled }
        #expect(isCancelled && clock.tolerances.isEmpty)
        await withDeadline(in: .init(count: 5), clock: OwnClock(isBroken: true)) {
            await untilCancelled()
        }
        let caller = Task {
            await withDeadline(in: .init(count: 5), clock: clock) { await untilCancelled() }
        }
        #expect(eventually { clock.sleeping == 1 })
        caller.cancel()
        await caller.value
        #expect(clock.sleeping == 0)
    }

    /// Whether the loop that is always there keeps the time until `end`.
    private func isShared(_ end: LoopClock.Instant) async -> Bool {
        await Loop.shared.pending(limit: .max).contains { $0.deadline == end }
    }

    /// Real time passes on another loop when its own is shut down during the body, or before.
    @Test(arguments: [true, false]) func aShutdownMovesTheTime(isEarly: Bool) async throws {
        let loop = try threadedLoop()
        let (end, begun) = (loop.now + .seconds(3600), Gate())
        if isEarly { await loop.shutdown() }
        let body = Task {
            await withDeadline(end, clock: loop.clock) {
                begun.open()
                await untilCancelled()
                return LoopClock.Instant.now
            }
        }
        begun.wait()
        #expect(await isShared(end) == isEarly)
        await loop.shutdown()
        #expect(await isShared(end))
        body.cancel()
        #expect(await body.value < end)
        #expect(await !isShared(end))
        // And it passes there.
        let soon = LoopClock.Instant.now + .milliseconds(20)
        await withDeadline(soon, clock: loop.clock) { await untilCancelled() }
        #expect(LoopClock.Instant.now >= soon)
    }

    /// Virtual time ends with its loop, and with it a body that waits for it.
    @Test func aShutdownEndsVirtualTime() async throws {
        let loop = try manualLoop()
        let begun = Gate()
        let body = Task {
            await withDeadline(in: .seconds(1), clock: loop.clock) {
                begun.open()
                await untilCancelled()
                return Task.isCancelled
            }
        }
        begun.wait()
        await loop.shutdown()
        #expect(await body.value)
        #expect(await withDeadline(in: .seconds(1), clock: loop.clock) { Task.isCancelled })
    }
}
