// SPDX-License-Identifier: Apache-2.0

extension ExecutionContext {
    /// Runs `work` here, as `execute(_:)`, under a label: a ``Watchdog`` names it.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - label: Names the closure where a loop runs it. It costs nothing to be long.
    ///   - work: Runs once here, and is released.
    /// - Complexity: O(1), an allocation more than without a label.
    public func execute(label: StaticString, _ work: @escaping @Sendable () -> Void) {
        execute { LoopStatus.run(label, work) }
    }

    /// Runs `work` here once, after `delay`, under a label: a ``Watchdog`` names it, and
    /// ``Loop/pending(limit:file:line:)`` lists it. See ``schedule(after:leeway:_:)``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - delay: From now; zero or less: a post with a handle.
    ///   - leeway: How much later than its deadline the timer may fire.
    ///   - label: Names the closure where a loop runs it.
    ///   - work: Runs once here, and is released.
    /// - Returns: The timer.
    /// - Complexity: O(1), two allocations and a lock more than without a label.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration = .zero, label: StaticString,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(after: delay, leeway: leeway, Label.labelled(label, work))
    }

    /// Runs `work` here once, at `deadline`, under a label: a ``Watchdog`` names it, and
    /// ``Loop/pending(limit:file:line:)`` lists it. See ``schedule(at:leeway:_:)``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - deadline: On the context's clock.
    ///   - leeway: How much later than its deadline the timer may fire.
    ///   - label: Names the closure where a loop runs it.
    ///   - work: Runs once here, and is released.
    /// - Returns: The timer.
    /// - Complexity: O(1), two allocations and a lock more than without a label.
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, leeway: Duration = .zero, label: StaticString,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(at: deadline, leeway: leeway, Label.labelled(label, work))
    }

    /// Runs `work` here for each tick of a grid of instants, under a label: a ``Watchdog`` names it,
    /// and ``Loop/pending(limit:file:line:)`` lists it. Edges and traps are those of
    /// `schedule(every:)` without a label.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - interval: Between two ticks; above zero.
    ///   - startingAfter: Time to the first tick; the interval if `nil`.
    ///   - leeway: How much later than its instant a tick may come.
    ///   - jitter: Factors of the interval by which ticks are moved at random.
    ///   - missed: The treatment of instants that passed meanwhile.
    ///   - label: Names the closure where a loop runs it.
    ///   - work: Runs for each tick.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer.
    /// - Complexity: O(1), two allocations and a lock more than without a label.
    @discardableResult
    public func schedule(
        every interval: Duration, startingAfter: Duration? = nil, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip, label: StaticString,
        _ work: @escaping @Sendable (Tick) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, startingAfter: startingAfter, leeway: leeway, jitter: jitter,
            missed: missed, Label.labelled(label, work), file: file, line: line)
    }

    /// Runs `work` here for each tick of a grid of instants, under a label; see the form whose
    /// closure takes a ``Tick``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - interval: Between two ticks; above zero.
    ///   - startingAfter: Time to the first tick; the interval if `nil`.
    ///   - leeway: How much later than its instant a tick may come.
    ///   - jitter: Factors of the interval by which ticks are moved at random.
    ///   - missed: The treatment of instants that passed meanwhile.
    ///   - label: Names the closure where a loop runs it.
    ///   - work: Runs for each tick.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer.
    /// - Complexity: O(1), two allocations and a lock more than without a label.
    @discardableResult
    public func schedule(
        every interval: Duration, startingAfter: Duration? = nil, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip, label: StaticString,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, startingAfter: startingAfter, leeway: leeway, jitter: jitter,
            missed: missed, label: label, { _ in work() }, file: file, line: line)
    }

    /// Runs `work` again and again, with `delay` between its end and its next start, under a label.
    /// Edges and traps are those of `schedule(everyAfterCompletion:)` without a label.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - delay: From the closure's end to its next start; zero or less traps.
    ///   - startingAfter: Time to the first run; the delay if `nil`.
    ///   - leeway: How much later it may start.
    ///   - label: Names the closure where a loop runs it.
    ///   - work: Runs each time; ``Tick/index`` counts the runs.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer.
    /// - Complexity: O(1), two allocations and a lock more than without a label.
    @discardableResult
    public func schedule(
        everyAfterCompletion delay: Duration, startingAfter: Duration? = nil,
        leeway: Duration = .zero, label: StaticString, _ work: @escaping @Sendable (Tick) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            everyAfterCompletion: delay, startingAfter: startingAfter, leeway: leeway,
            Label.labelled(label, work), file: file, line: line)
    }

    /// Runs `work` again and again, with `delay` between its end and its next start, under a label;
    /// see the form whose closure takes a ``Tick``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - delay: From the closure's end to its next start; zero or less traps.
    ///   - startingAfter: Time to the first run; the delay if `nil`.
    ///   - leeway: How much later it may start.
    ///   - label: Names the closure where a loop runs it.
    ///   - work: Runs each time.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer.
    /// - Complexity: O(1), two allocations and a lock more than without a label.
    @discardableResult
    public func schedule(
        everyAfterCompletion delay: Duration, startingAfter: Duration? = nil,
        leeway: Duration = .zero, label: StaticString, _ work: @escaping @Sendable () -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            everyAfterCompletion: delay, startingAfter: startingAfter, leeway: leeway,
            label: label, { _ in work() }, file: file, line: line)
    }

    /// Runs `work` here once, `delay` after the last call with this id, under a label: a
    /// ``Watchdog`` names it, and ``Loop/pending(limit:file:line:)`` lists it. See
    /// ``once(_:after:maxWait:leeway:_:)``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - id: Names the operation.
    ///   - delay: From this call to the run. Zero or less: the next turn.
    ///   - maxWait: Longest time from the first call of a series to the run; `nil`: no limit.
    ///   - leeway: How much later it may run.
    ///   - label: Names the operation where a loop runs it.
    ///   - work: Runs once, unless a newer call replaces it, and is released.
    /// - Returns: The pending timer. It is over once a newer call has replaced it.
    /// - Complexity: O(1) on average, a timer's making more than without a label.
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, after delay: Duration = .zero, maxWait: Duration? = nil,
        leeway: Duration = .zero, label: StaticString, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        OnceTable.shared.schedule(
            OnceID(id), on: self, loop: self as? Loop, after: delay, maxWait: maxWait,
            leeway: leeway, label: label, Work(run: work))
    }
}
