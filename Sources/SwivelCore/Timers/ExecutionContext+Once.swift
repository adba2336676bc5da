// SPDX-License-Identifier: Apache-2.0

extension ExecutionContext {
    /// Runs `work` here once, `delay` after the last call with this `id`: a newer call replaces the
    /// pending one, with its closure, its context and its deadline.
    ///
    /// Ids are compared with their type, so a private type is a private namespace. All contexts of
    /// the process share them. They are compared under a lock: their `==` must not call `once`.
    /// ``Coalescer`` does the same with a handle, for the hot path.
    ///
    /// A `delay` of zero or less means the next turn. `maxWait` is the longest time from the first
    /// call of a series to the run; `nil`: no limit. A run whose limit has come is not put off,
    /// even if its context is behind: calls on that context replace its closure, and calls on
    /// another one begin a series of their own. `leeway` and `label` are those of
    /// ``schedule(after:leeway:label:_:)``.
    ///
    /// - Returns: The pending timer. It is over once a newer call has replaced it.
    /// - Complexity: O(1) on average, whatever the number of ids; O(n) among n ids of one hash. On
    ///   a loop's own thread, a call without a label that replaces another one of that loop
    ///   allocates nothing but its closure's captures, and an id that is no string.
    @preconcurrency
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, after delay: Duration = .zero, maxWait: Duration? = nil,
        leeway: Duration = .zero, label: StaticString? = nil, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        OnceTable.shared.schedule(
            OnceID(id), on: self, loop: self as? Loop, after: delay, maxWait: maxWait,
            leeway: leeway, label: label, Work(run: work))
    }
}

extension Loop {
    /// See ``ExecutionContext/once(_:after:maxWait:leeway:label:_:)``.
    @preconcurrency
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, after delay: Duration = .zero, maxWait: Duration? = nil,
        leeway: Duration = .zero, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        let (table, id) = (OnceTable.shared, OnceID(id))
        var work: Work? = Work(run: work)
        // `renew` leaves in `work` what it replaces.
        return table.renew(id, on: self, after: delay, maxWait: maxWait, leeway: leeway, &work)
            ?? table.schedule(
                id, on: self, loop: self, after: delay, maxWait: maxWait, leeway: leeway,
                label: nil, work.take())
    }
}
