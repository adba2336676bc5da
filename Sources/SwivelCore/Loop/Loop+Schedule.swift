// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

// The measured path. On the loop's own thread the closure's two words go straight into the node; the
// closure is consumed, so nothing is retained or released on the way. The forms without leeway spare
// the library calls behind `Duration.zero`.
extension Loop {
    /// See ``ExecutionContext/schedule(after:leeway:_:)``.
    @discardableResult
    public func schedule(
        after delay: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let nanoseconds = delay.nanosecondsRoundedUp
        guard swivel__is_own(record), nanoseconds != 0 else {
            return scheduleElsewhere(after: nanoseconds, leeway: 0, Work.words(work))
        }
        return scheduleHere(at: swivel__own_deadline(record, nanoseconds), leeway: 0, work)
    }

    /// See ``ExecutionContext/schedule(after:leeway:_:)``.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let nanoseconds = delay.nanosecondsRoundedUp
        let leeway = leeway.nanosecondsRoundedUp
        guard swivel__is_own(record), nanoseconds != 0 else {
            return scheduleElsewhere(after: nanoseconds, leeway: leeway, Work.words(work))
        }
        return scheduleHere(at: swivel__own_deadline(record, nanoseconds), leeway: leeway, work)
    }

    /// See ``ExecutionContext/schedule(at:leeway:_:)``.
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, leeway: Duration = .zero,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        var words = Work.words(work)
        let timer = swivel_schedule_at(
            record, deadline.nanoseconds, leeway.nanosecondsRoundedUp, words)
        if timer.loop == nil {
            Work.release(&words)
        }
        return TimerHandle(timer)
    }

    @inline(__always)
    private func scheduleHere(
        at deadline: UInt64, leeway: UInt64, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        var place: UnsafeMutablePointer<swivel_work>?
        let timer = swivel__own_schedule(record, deadline, leeway, &place)
        if let place {
            Work.store(work, in: place)
        }
        return TimerHandle(timer)
    }

    /// From another thread, or for a delay of zero.
    @inline(never)
    private func scheduleElsewhere(
        after delay: UInt64, leeway: UInt64, _ work: swivel_work
    ) -> TimerHandle {
        let timer = swivel_schedule(record, delay, leeway, work)
        if timer.loop == nil {
            var refused = work
            Work.release(&refused)
        }
        return TimerHandle(timer)
    }

    /// See ``ExecutionContext/arm(_:)``: the timer is a node of this loop's own wheel.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        let grid = request.grid(now: now)
        var work = request.work
        let timer: swivel_timer
        if var grid {
            timer = swivel_schedule_every(record, &grid, work)
        } else {
            let leeway = request.leeway.nanosecondsRoundedUp
            switch request.start {
            case .after(let delay):
                timer = swivel_schedule(record, delay.nanosecondsRoundedUp, leeway, work)
            case .at(let deadline):
                timer = swivel_schedule_at(record, deadline.nanoseconds, leeway, work)
            }
        }
        if timer.loop == nil {
            Work.release(&work)
        }
        return TimerHandle(timer)
    }
}
