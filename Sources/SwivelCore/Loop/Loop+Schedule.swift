// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

// The measured path. On the loop's own thread the closure's two words go straight into the node;
// the closure is consumed, so nothing is retained or released on the way. The form without leeway
// avoids the library calls behind `Duration.zero`.
extension Loop {
    /// Runs `work` once, `delay` from now, releases it, and returns the timer.
    ///
    /// Never early, and in the order of the deadlines. A zero or negative delay is due now: `work`
    /// runs in the next turn, never inside this call. Dropping the timer's handle does nothing.
    /// ``ExecutionContext/schedule(after:leeway:label:_:)`` has a leeway and a label.
    ///
    /// - Complexity: O(1). No allocation but that of the closure's captures.
    @preconcurrency
    @discardableResult
    public func schedule(
        after delay: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let words = Work.words(work)
        return accepted(start(after: delay.nanosecondsRoundedUp, leeway: 0, words), or: words)
    }

    /// See ``ExecutionContext/schedule(after:leeway:label:_:)``.
    @preconcurrency
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let (words, leeway) = (Work.words(work), leeway.nanosecondsRoundedUp)
        return accepted(start(after: delay.nanosecondsRoundedUp, leeway: leeway, words), or: words)
    }

    /// See ``ExecutionContext/schedule(at:leeway:label:_:)``.
    @preconcurrency
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, leeway: Duration = .zero,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let (words, leeway) = (Work.words(work), leeway.nanosecondsRoundedUp)
        return accepted(start(at: deadline.nanoseconds, leeway: leeway, words), or: words)
    }

    /// See ``ExecutionContext/arm(_:)``.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        let work = request.work
        let leeway = request.leeway.nanosecondsRoundedUp
        if var grid = request.grid(now: now) {
            return accepted(swivel_schedule_every(record, &grid, leeway, work), or: work)
        }
        return accepted(start(request.start, leeway: leeway, work), or: work)
    }

    /// The timer's handle; releases the work of one that was refused.
    @inline(__always)
    private func accepted(_ timer: swivel_timer, or work: swivel_work) -> TimerHandle {
        if timer.loop == nil {
            Work.release(work)
            reportRefusal(0)
        }
        return TimerHandle(timer)
    }
}

// One-shots for the words of a closure or a sleep. A timer that is refused has no loop, and its
// words stay the caller's.
extension Loop {
    @inline(__always)
    func start(_ start: TimerRequest.Start, leeway: UInt64, _ words: swivel_work) -> swivel_timer {
        switch start {
        case .after(let delay):
            self.start(after: delay.nanosecondsRoundedUp, leeway: leeway, words)
        case .at(let deadline): self.start(at: deadline.nanoseconds, leeway: leeway, words)
        }
    }

    @inline(__always)
    private func start(after delay: UInt64, leeway: UInt64, _ words: swivel_work) -> swivel_timer {
        guard swivel__is_own(record), delay != 0 else {
            return swivel_schedule(record, delay, leeway, words)
        }
        return startHere(at: swivel__own_deadline(record, delay), leeway, words)
    }

    @inline(__always)
    private func start(at deadline: UInt64, leeway: UInt64, _ words: swivel_work) -> swivel_timer {
        // An instant that the clock which is never behind has not reached is not past. The exact
        // clock decides about the others.
        guard swivel__is_own(record), deadline > swivel__own_deadline(record, 0)
        else { return swivel_schedule_at(record, deadline, leeway, words) }
        return startHere(at: deadline, leeway, words)
    }

    @inline(__always)
    private func startHere(
        at deadline: UInt64, _ leeway: UInt64, _ words: swivel_work
    ) -> swivel_timer {
        let armed = swivel__own_schedule(record, deadline, leeway)
        armed.work?.initialize(to: words)
        return armed.timer
    }
}
