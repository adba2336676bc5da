// SPDX-License-Identifier: Apache-2.0

extension ExecutionContext {
    /// Runs `work` here once, `delay` after the last call with this id: a newer call replaces the
    /// pending one, with its closure, its context and its deadline.
    ///
    /// Ids are compared with their type, so a private type is a private namespace; they are shared by
    /// all contexts of the process. They are compared under a lock: their `==` must not call `once`.
    /// ``Coalescer`` is the same with a handle, for the hot path.
    ///
    /// **Thread:** any; on a loop's own thread a call that replaces another of the same loop allocates
    /// nothing but its closure's captures, and an id that is no string.
    /// - Parameters:
    ///   - id: What names the operation.
    ///   - delay: From this call to the run.
    ///   - maxWait: From the first call of a series to the run, at the latest; `nil`: no limit.
    ///   - leeway: How much later it may run.
    ///   - work: What runs.
    /// - Returns: The pending timer, over once a newer call has replaced it.
    /// - Complexity: O(1) on average, whatever the number of ids; O(n) among n ids of one hash.
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, after delay: Duration = .zero, maxWait: Duration? = nil,
        leeway: Duration = .zero, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        OnceTable.shared.schedule(
            OnceID(id), on: self, loop: self as? Loop, after: delay, maxWait: maxWait,
            leeway: leeway, Work(run: work))
    }
}

extension Loop {
    /// See ``ExecutionContext/once(_:after:maxWait:leeway:_:)``.
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, after delay: Duration = .zero, maxWait: Duration? = nil,
        leeway: Duration = .zero, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let (table, id, work) = (OnceTable.shared, OnceID(id), Work(run: work))
        return table.renew(id, on: self, after: delay, maxWait: maxWait, leeway: leeway, work)
            .map(observed)
            ?? table.schedule(
                id, on: self, loop: self, after: delay, maxWait: maxWait, leeway: leeway, work)
    }
}
