// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Timers whose closures run on a context that is not a loop: C6, T4.
@Suite(.offPool) struct DispatchedTimerTests {
    private let probe = Probe()

    /// A timer whose closure has arrived at its context.
    private func dueTimer(on context: QueueContext, repeats: Bool) -> TimerHandle {
        let soon = Duration.microseconds(100)
        defer { context.waitForArrivals(1) }
        return repeats
            ? context.schedule(every: soon, probe.work())
            : context.schedule(after: soon, probe.work())
    }

    /// C6: the claim is made when the closure starts on its context, not when the loop calls
    /// the context.
    @Test(arguments: [true, false])
    func aDispatchedTimerCanBeCancelledUntilItStarts(repeats: Bool) {
        let context = QueueContext()
        let handle = dueTimer(on: context, repeats: repeats)
        #expect(handle.isPending)
        #expect(handle.cancel() == .cancelled)
        #expect(probe.released == 1, "the canceller has released the captures")
        #expect(handle.cancel() == .finished)
        context.runAll()
        #expect(probe.ran == 0)
    }

    /// C6: inside the closure it is running, afterwards it is over.
    @Test func aRunningDispatchedTimerReportsRunning() {
        let context = QueueContext()
        let handle = Shared<TimerHandle?>(nil)
        handle.value = context.schedule(
            after: .microseconds(1),
            probe.work {
                #expect(context.isCurrent)
                #expect(handle.value?.cancel() == .running)
                #expect(handle.value?.isPending == false)
            })
        context.waitForArrivals(1)
        context.runAll()
        #expect(handle.value?.cancel() == .finished)
        #expect(probe.ran == 1 && probe.released == 1)
    }

    /// T1, T5: never early, and never inside the call.
    @Test(arguments: [-1_000, 0, 1, 1_000_000])
    func aDispatchedTimerIsNeverEarly(nanoseconds: Int) {
        let context = QueueContext()
        let delay = Duration.nanoseconds(nanoseconds)
        let start = SuspendingClock.now
        let fired = Shared<SuspendingClock.Instant?>(nil)
        context.schedule(after: delay, probe.work { fired.value = SuspendingClock.now })
        #expect(probe.ran == 0)
        context.waitForArrivals(1)
        context.runAll()
        #expect(fired.value.map { $0 - start >= delay } == true)
        context.schedule(at: LoopClock.Instant(nanoseconds: 1), probe.work())
        context.waitForArrivals(2)
        context.runAll()
        #expect(probe.ran == 2)
    }

    /// T4: a slow context gets missed ticks, never a pile.
    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func aSlowContextGetsNoPile(missed: MissedTicks) {
        let context = QueueContext()
        let ticks = Shared<[Tick]>()
        let handle = context.schedule(
            every: .microseconds(200), missed: missed, probe.tick { tick in ticks.append(tick) })
        for round in 1...10 {
            context.waitForArrivals(round)
            busy(for: .milliseconds(1))
            #expect(context.arrived == round, "one at most is under way")
            #expect(context.count == 1)
            context.runNext()
        }
        #expect(probe.ran == 10)
        for (before, after) in zip(ticks.value, ticks.value.dropFirst()) {
            switch missed {
            case .skip:
                #expect(after.index == before.index + 1 + after.missed)
                #expect(
                    after.scheduled - before.scheduled
                        == .microseconds(200) * (after.index - before.index))
            case .delay:
                #expect(after.index == before.index + 1)
                #expect(after.scheduled > before.scheduled)
            case .burst:
                #expect(after.index == before.index + 1 && after.missed == 0)
                #expect(after.scheduled - before.scheduled == .microseconds(200))
            }
        }
        _ = handle.cancel()
        context.runAll()
        #expect(Probe.allAreReleased())
    }

    /// C6: between two ticks nothing is running, also while the loop has not heard of the first
    /// one's end.
    @Test func aDispatchedRepeatIsNotRunningBetweenItsTicks() {
        let context = QueueContext()
        let handle = context.schedule(every: .microseconds(100), probe.work())
        context.waitForArrivals(1)
        let loopIsHeld = Gate()
        let mayGoOn = Gate()
        Loop.shared.execute {
            loopIsHeld.open()
            mayGoOn.wait()
        }
        loopIsHeld.wait()
        context.runNext()
        #expect(probe.ran == 1)
        #expect(handle.cancel() == .cancelled)
        #expect(probe.released == 1)
        mayGoOn.open()
        context.runAll()
        #expect(Probe.allAreReleased())
    }

    /// A repeat that cancels itself on its context is released as soon as it returns.
    @Test func aDispatchedRepeatCancelsItself() {
        let context = QueueContext()
        context.schedule(
            every: .microseconds(100),
            probe.tick { tick in
                tick.cancel()
                #expect(tick.handle.cancel() == .running)
                #expect(!tick.handle.isPending)
            })
        context.waitForArrivals(1)
        context.runNext()
        #expect(probe.ran == 1 && probe.released == 1)
    }

    /// A context that drops work has cancelled it: the closure is released, the handle is over.
    @Test(arguments: [true, false])
    func droppedWorkCountsAsCancelled(repeats: Bool) {
        let context = QueueContext()
        let handle = dueTimer(on: context, repeats: repeats)
        context.dropNext()
        // The loop's thread may be about to leave the call that sent the work there.
        #expect(Probe.allAreReleased())
        #expect(probe.released == 1)
        #expect(!handle.isPending)
        #expect(handle.cancel() == .finished)
    }

    /// A context that runs its work twice, or on the thread that submits it, does no harm.
    @Test func workThatIsRunTwiceRunsOnce() {
        let twice = AnyContext { work in
            work()
            work()
        }
        let ran = Gate()
        twice.schedule(after: .microseconds(100), probe.work { ran.open() })
        ran.wait()
        let repeating = twice.schedule(every: .microseconds(100), probe.work { ran.open() })
        ran.wait(times: 5)
        repeating.cancel()
        #expect(probe.ran >= 5)
    }

    /// Moving: a timer that is on its way is moved too, or the answer says no.
    @Test func aDispatchedRepeatThatIsMovedDoesNotStartBefore() {
        let context = QueueContext()
        let handle = context.schedule(every: .microseconds(100), probe.work())
        context.waitForArrivals(1)
        if handle.rearm(after: .hours(1)) {
            context.runAll()
            #expect(probe.ran == 0, "true: it does not fire before the new deadline")
        }
        #expect(handle.isPending)
        #expect(handle.cancel() == .cancelled)
        #expect(probe.live == 0)
    }

    /// The same for a one-shot: it is over, or it does not start before.
    @Test func aDispatchedOneShotThatIsMovedDoesNotStartBefore() {
        let context = QueueContext()
        let handle = context.schedule(after: .microseconds(100), probe.work())
        context.waitForArrivals(1)
        let isMoved = handle.rearm(after: .hours(1))
        context.runAll()
        #expect(probe.ran == (isMoved ? 0 : 1))
        handle.cancel()
        #expect(probe.live == 0)
    }

    /// Timers that are not due yet are moved from any thread.
    @Test func aDispatchedTimerIsMoved() {
        let context = QueueContext()
        let handle = context.schedule(after: .hours(1), probe.work())
        #expect(handle.rearm(after: .hours(2)))
        #expect(handle.rearm(after: .microseconds(10)))
        context.waitForArrivals(1)
        context.runAll()
        #expect(probe.ran == 1)
        let repeating = context.schedule(every: .hours(1), probe.work())
        #expect(repeating.rearm(after: .zero))
        context.waitForArrivals(2)
        context.runAll()
        #expect(probe.ran == 2)
        repeating.cancel()
        #expect(Probe.allAreReleased())
    }

    /// A timer keeps its context alive, and lets it go.
    @Test func aTimerHoldsItsContext() {
        weak var gone: QueueContext?
        let handle: TimerHandle
        do {
            let context = QueueContext()
            gone = context
            handle = context.schedule(after: .hours(1), probe.work())
        }
        #expect(gone != nil)
        handle.cancel()
        // The loop releases the context when it has reclaimed the node.
        for _ in 0..<2 {
            let turned = Gate()
            Loop.shared.execute { turned.open() }
            turned.wait()
        }
        #expect(gone == nil)
    }

    /// Fixed delays count from the closure's end on its context.
    @Test func aDispatchedFixedDelayCountsFromTheEnd() {
        let context = QueueContext()
        let starts = Shared<[SuspendingClock.Instant]>()
        let ends = Shared<[SuspendingClock.Instant]>()
        let handle = context.schedule(
            everyAfterCompletion: .milliseconds(1),
            probe.work {
                starts.append(SuspendingClock.now)
                busy(for: .milliseconds(2))
                ends.append(SuspendingClock.now)
            })
        for round in 1...4 {
            context.waitForArrivals(round)
            context.runNext()
        }
        for (end, start) in zip(ends.value, starts.value.dropFirst()) {
            #expect(start - end >= .milliseconds(1))
        }
        handle.cancel()
        context.runAll()
    }

    /// The worker pool and the immediate context have timers too.
    @Test func everyContextHasTimers() {
        let fired = Gate()
        WorkerPool.shared.schedule(after: .microseconds(50), probe.work { fired.open() })
        ImmediateContext().schedule(
            after: .microseconds(50),
            probe.work {
                #expect(Loop.current === Loop.shared)
                fired.open()
            })
        AnyContext(.background).schedule(after: .microseconds(50), probe.work { fired.open() })
        fired.wait(times: 3)
        let ticks = Gate()
        let handle = WorkerPool.shared.schedule(
            every: .microseconds(50), probe.work { ticks.open() })
        ticks.wait(times: 20)
        handle.cancel()
    }
}
