// SPDX-License-Identifier: Apache-2.0

extension ExecutionContext {
    /// Runs `work` here, as `execute(_:)`, under a `label`: a ``Watchdog`` names it.
    ///
    /// - Complexity: O(1), an allocation more than without a label.
    @preconcurrency
    public func execute(label: StaticString, _ work: @escaping @Sendable () -> Void) {
        execute { LoopStatus.run(label, work) }
    }

    /// Runs `work` here once, `delay` from now, releases it, and returns the timer. Dropping that
    /// does nothing.
    ///
    /// Never early: the closure does not start before its deadline. Fractions of a nanosecond round
    /// up. It may start up to `leeway` later, so that it shares a wake-up with others. Timers fire
    /// in the order of their deadlines, to the nanosecond, and of their start. A zero or negative
    /// delay is a post with a handle: the closure runs in the next turn, in order with this
    /// thread's posts, never inside this call. A delay beyond the clock's range never fires and can
    /// be cancelled. A loop that is shut down releases the closure, and the handle reads cancelled.
    /// The `label` names the closure to a ``Watchdog`` and in ``Loop/pending(limit:file:line:)``.
    ///
    /// - Complexity: O(1). No allocation on a loop but that of the closure's captures.
    @preconcurrency
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration = .zero, label: StaticString? = nil,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        arm(TimerRequest(.after(delay), leeway: leeway, .once(work), label: label))
    }

    /// Runs `work` here once, at `deadline` on the context's clock, with this `leeway` and `label`,
    /// and returns the timer; see ``schedule(after:leeway:label:_:)``.
    ///
    /// A deadline that has passed is due now, without the leeway: on a loop a post with a handle,
    /// ordered among this thread's posts, not among timers.
    ///
    /// - Complexity: O(1). No allocation on a loop but that of the closure's captures.
    @preconcurrency
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, leeway: Duration = .zero, label: StaticString? = nil,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        arm(TimerRequest(.at(deadline), leeway: leeway, .once(work), label: label))
    }

    /// Runs `work` here for each tick of a grid of instants, until the timer that it returns is
    /// cancelled. Dropping that does nothing.
    ///
    /// Tick *k* belongs to the instant first + *k* · interval, where first is the call's time plus
    /// `startingAfter` (or the interval, if `nil`): nothing drifts. If `startingAfter` is zero or
    /// less, the first tick comes in a loop's next turn, in order with posts. The closure never
    /// overlaps itself; `missed` decides how instants are handled for which it or its context was
    /// too slow.
    ///
    /// A tick may fire by `leeway` later than its instant, but by half an interval at most: it
    /// never costs a tick. `jitter` is added to each tick, in fractions of the interval; the grid
    /// itself stays. An `interval` of zero or less traps, and so does jitter below zero. The
    /// `label` is as in ``schedule(after:leeway:label:_:)``.
    ///
    /// - Complexity: O(1). No allocation per tick on a loop.
    @preconcurrency
    @discardableResult
    public func schedule(
        every interval: Duration, startingAfter: Duration? = nil, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        label: StaticString? = nil, _ work: @escaping @Sendable (Tick) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        arm(
            TimerRequest(
                .after(startingAfter ?? interval), leeway: leeway,
                .every(interval, missed: missed, jitter: jitter, work), label: label, file: file,
                line: line))
    }

    /// Runs `work` here for each tick of a grid of instants, and returns the timer. `interval`,
    /// `startingAfter`, `leeway`, `jitter`, `missed` and `label` are as in the form with a
    /// ``Tick``.
    ///
    /// - Complexity: O(1). No allocation per tick on a loop.
    @preconcurrency
    @discardableResult
    public func schedule(
        every interval: Duration, startingAfter: Duration? = nil, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        label: StaticString? = nil, _ work: @escaping @Sendable () -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, startingAfter: startingAfter, leeway: leeway, jitter: jitter,
            missed: missed, label: label, { _ in work() }, file: file, line: line)
    }

    /// Runs `work` again and again, with `delay` between its end and its next start, and returns
    /// the timer. A delay of zero or less traps. ``Tick/index`` counts the runs.
    ///
    /// `startingAfter` is the time to the first run, or the delay if `nil`; zero or less: in a
    /// loop's next turn, in order with posts. `leeway` and `label` are as for a one-shot.
    ///
    /// - Complexity: O(1). No allocation per run on a loop.
    @preconcurrency
    @discardableResult
    public func schedule(
        everyAfterCompletion delay: Duration, startingAfter: Duration? = nil,
        leeway: Duration = .zero, label: StaticString? = nil,
        _ work: @escaping @Sendable (Tick) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        arm(
            TimerRequest(
                .after(startingAfter ?? delay), leeway: leeway, .afterCompletion(delay, work),
                label: label, file: file, line: line))
    }

    /// Runs `work` again and again, with `delay` between its end and its next start, and returns
    /// the timer. `startingAfter`, `leeway` and `label` are as in the form with a ``Tick``.
    ///
    /// - Complexity: O(1). No allocation per run on a loop.
    @preconcurrency
    @discardableResult
    public func schedule(
        everyAfterCompletion delay: Duration, startingAfter: Duration? = nil,
        leeway: Duration = .zero, label: StaticString? = nil,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            everyAfterCompletion: delay, startingAfter: startingAfter, leeway: leeway,
            label: label, { _ in work() }, file: file, line: line)
    }
}
