// SPDX-License-Identifier: Apache-2.0

// The forms that carry task-local values. A closure has none by itself: it runs outside any task.
extension ExecutionContext {
    /// As ``execute(_:)``; with `inheritingTaskLocals` the closure sees the task-local values that
    /// are bound where this is called.
    ///
    /// - Complexity: O(1). Values cost a task: some hundred bytes in a few allocations.
    public func execute(
        inheritingTaskLocals: Bool, _ work: @escaping @Sendable () -> Void
    ) {
        execute(inheritingTaskLocals ? withTaskLocals(work) : work)
    }

    /// As ``schedule(after:leeway:_:)``; see ``execute(inheritingTaskLocals:_:)``.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration = .zero, inheritingTaskLocals: Bool,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let work = inheritingTaskLocals ? withTaskLocals(work) : work
        return arm(TimerRequest(.after(delay), leeway: leeway, .once(work)))
    }

    /// As ``schedule(at:leeway:_:)``; see ``execute(inheritingTaskLocals:_:)``.
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, leeway: Duration = .zero, inheritingTaskLocals: Bool,
        _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let work = inheritingTaskLocals ? withTaskLocals(work) : work
        return arm(TimerRequest(.at(deadline), leeway: leeway, .once(work)))
    }

    /// As `schedule(every:startingAfter:leeway:jitter:missed:_:)`; see
    /// ``execute(inheritingTaskLocals:_:)``. Each tick sees the same values.
    @discardableResult
    public func schedule(
        every interval: Duration, startingAfter: Duration? = nil, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        inheritingTaskLocals: Bool, _ work: @escaping @Sendable (Tick) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        let work = inheritingTaskLocals ? withTaskLocals(work) : work
        return arm(
            TimerRequest(
                .after(startingAfter ?? interval), leeway: leeway,
                .every(interval, missed: missed, jitter: jitter, work), file: file, line: line))
    }

    /// As the form whose closure takes a ``Tick``.
    @discardableResult
    public func schedule(
        every interval: Duration, startingAfter: Duration? = nil, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        inheritingTaskLocals: Bool, _ work: @escaping @Sendable () -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, startingAfter: startingAfter, leeway: leeway, jitter: jitter,
            missed: missed, inheritingTaskLocals: inheritingTaskLocals, { _ in work() },
            file: file, line: line)
    }

    /// As `schedule(everyAfterCompletion:startingAfter:leeway:_:)`; see
    /// ``execute(inheritingTaskLocals:_:)``. Each run sees the same values.
    @discardableResult
    public func schedule(
        everyAfterCompletion delay: Duration, startingAfter: Duration? = nil,
        leeway: Duration = .zero, inheritingTaskLocals: Bool,
        _ work: @escaping @Sendable (Tick) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        let work = inheritingTaskLocals ? withTaskLocals(work) : work
        return arm(
            TimerRequest(
                .after(startingAfter ?? delay), leeway: leeway, .afterCompletion(delay, work),
                file: file, line: line))
    }

    private func withTaskLocals(
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let locals = TaskLocals()
        return { locals.run(work) }
    }

    private func withTaskLocals(
        _ work: @escaping @Sendable (Tick) -> Void
    ) -> @Sendable (Tick) -> Void {
        let locals = TaskLocals()
        return { tick in locals.run { work(tick) } }
    }
}
