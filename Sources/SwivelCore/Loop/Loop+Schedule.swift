// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

// The measured path. On the loop's own thread the closure's two words go straight into the node;
// the closure is consumed, so nothing is retained or released on the way. The form without leeway
// avoids the library calls behind `Duration.zero`.
extension Loop {
    /// See ``ExecutionContext/schedule(after:leeway:label:_:)``.
    @preconcurrency
    @discardableResult
    public func schedule(
        after delay: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        start(after: delay.nanosecondsRoundedUp, leeway: 0, work)
    }

    /// See ``ExecutionContext/schedule(after:leeway:label:_:)``.
    @preconcurrency
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        start(after: delay.nanosecondsRoundedUp, leeway: leeway.nanosecondsRoundedUp, work)
    }

    /// See ``ExecutionContext/schedule(at:leeway:label:_:)``.
    @preconcurrency
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, leeway: Duration = .zero,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let leeway = leeway.nanosecondsRoundedUp
        // An instant that the clock which is never behind has not reached is not past. The exact
        // clock decides about the others.
        guard swivel__is_own(record), deadline.nanoseconds > swivel__own_deadline(record, 0) else {
            return scheduleElsewhere(at: deadline.nanoseconds, leeway: leeway, work)
        }
        return scheduleHere(at: deadline.nanoseconds, leeway: leeway, work)
    }

    @inline(__always)
    private func start(
        after delay: UInt64, leeway: UInt64, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        guard swivel__is_own(record), delay != 0 else {
            return scheduleElsewhere(after: delay, leeway: leeway, work)
        }
        return scheduleHere(at: swivel__own_deadline(record, delay), leeway: leeway, work)
    }

    @inline(__always)
    private func scheduleHere(
        at deadline: UInt64, leeway: UInt64, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let armed = swivel__own_schedule(record, deadline, leeway)
        guard let place = armed.work else {
            reportRefusal(0)
            return .refused
        }
        Work.store(work, in: place)
        return TimerHandle(armed.timer)
    }

    /// From another thread, or for a delay of zero.
    @inline(never)
    private func scheduleElsewhere(
        after delay: UInt64, leeway: UInt64, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let words = Work.words(work)
        return accepted(swivel_schedule(record, delay, leeway, words), or: words)
    }

    /// From another thread, or for an instant that may have passed.
    @inline(never)
    private func scheduleElsewhere(
        at deadline: UInt64, leeway: UInt64, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let words = Work.words(work)
        return accepted(swivel_schedule_at(record, deadline, leeway, words), or: words)
    }

    /// The timer's handle; releases the work of one that was refused.
    private func accepted(_ timer: swivel_timer, or work: swivel_work) -> TimerHandle {
        if timer.loop == nil {
            Work.release(work)
            reportRefusal(0)
        }
        return TimerHandle(timer)
    }

    /// See ``ExecutionContext/arm(_:)``.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        let work = request.work
        let leeway = request.leeway.nanosecondsRoundedUp
        if var grid = request.grid(now: now) {
            return accepted(swivel_schedule_every(record, &grid, leeway, work), or: work)
        }
        let timer =
            switch request.start {
            case .after(let delay):
                swivel_schedule(record, delay.nanosecondsRoundedUp, leeway, work)
            case .at(let deadline):
                swivel_schedule_at(record, deadline.nanoseconds, leeway, work)
            }
        return accepted(timer, or: work)
    }
}
