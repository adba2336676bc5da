// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What an id of `once` is compared by: its type and its value, so that a private type is a private
/// namespace. (`AnyHashable` alone takes `1` and `1.0` for equal.)
struct OnceID: Equatable, Sendable {
    private let value: any Hashable & Sendable
    let hash: Int

    init(_ id: some Hashable & Sendable) {
        value = id
        hash = id.hashValue
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.hash == rhs.hash && lhs.value.isSame(as: rhs.value)
    }
}

extension Hashable {
    fileprivate func isSame<Other: Hashable>(as other: Other) -> Bool {
        guard Other.self == Self.self else { return false }
        // The types are the same, so this is no cast; `as?` would cost a run-time look-up.
        return withUnsafePointer(to: other) {
            UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee == self
        }
    }
}

/// The pending `once` operations of the process.
final class OnceTable: Sendable {
    static let shared = OnceTable()

    /// One id's operation, for as long as it is pending. Its fields are guarded by the table.
    private final class Entry: @unchecked Sendable {
        // because the table's lock guards what changes.
        let id: OnceID
        /// Another id with the same hash.
        var next: Entry?
        /// Counts the calls: the run of an older one is void.
        var call: UInt64 = 0
        /// `nil` while the timer is being armed.
        var handle: TimerHandle?
        /// The instant that the series may not pass.
        var limit: LoopClock.Instant?
        /// A newer call's work, where the run whose limit has come is not put off once more.
        var newest: (@Sendable () -> Void)?
        /// Where the pending run is to run, if that is a loop.
        var loop: ObjectIdentifier?

        init(_ id: OnceID) {
            self.id = id
        }
    }

    /// One call's run. When its timer lets go of it, in whatever way, the call is over.
    private final class Run: Sendable {
        let entry: Entry
        let call: UInt64
        let work: @Sendable () -> Void

        init(_ entry: Entry, _ call: UInt64, _ work: @escaping @Sendable () -> Void) {
            self.entry = entry
            self.call = call
            self.work = work
        }

        deinit {
            _ = OnceTable.shared.end(self)
        }
    }

    /// The entries by the hash of their ids: an id is stored once.
    private struct Entries {
        private var byHash: [Int: Entry] = [:]

        func find(_ id: OnceID) -> Entry? {
            var entry = byHash[id.hash]
            while let candidate = entry, candidate.id != id {
                entry = candidate.next
            }
            return entry
        }

        mutating func insert(_ entry: Entry) {
            entry.next = byHash.updateValue(entry, forKey: entry.id.hash)
        }

        mutating func remove(_ entry: Entry) {
            let hash = entry.id.hash
            guard let first = byHash[hash] else { return }
            if first === entry {
                byHash[hash] = entry.next
            } else {
                var before = first
                while let next = before.next, next !== entry {
                    before = next
                }
                before.next = entry.next
            }
            entry.next = nil
        }
    }

    private let entries = Lock(Entries())

    /// Replaces what is pending under `id`. The last call wins: closure, context and deadline.
    func schedule(
        _ id: OnceID, on context: some ExecutionContext, after delay: Duration,
        maxWait: Duration?, leeway: Duration, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        var delay = delay
        let now = maxWait == nil ? nil : ((context as? Loop) ?? .shared).now
        if let now, let pending = replaceWork(of: id, on: context, work, now: now) {
            return pending
        }
        let loop = (context as? Loop).map(ObjectIdentifier.init)
        var stale: (@Sendable () -> Void)?
        let (entry, call, replaced, limit) = entries.withLock { entries in
            let entry = entries.find(id) ?? Entry(id)
            if entry.call == 0 {
                entries.insert(entry)
            }
            entry.call += 1
            entry.loop = loop
            stale = entry.newest.take()
            entry.limit = maxWait.flatMap { wait in entry.limit ?? now?.advanced(by: wait) }
            return (entry, entry.call, entry.handle.take(), entry.limit)
        }
        // Closures are released, and timers armed, outside the lock.
        replaced?.cancel()
        withExtendedLifetime(stale) {}
        if let now, let limit {
            delay = min(delay, now.duration(to: limit))
        }
        let run = Run(entry, call, work)
        let handle = context.schedule(after: delay, leeway: leeway) {
            OnceTable.shared.end(run)?()
        }
        let isCurrent = entries.withLock { _ in
            let isCurrent = entry.call == call
            if isCurrent { entry.handle = handle }
            return isCurrent
        }
        if !isCurrent {
            handle.cancel()
        }
        return handle
    }

    /// Where a series' limit has come, its run is not put off behind what has come since: it runs this
    /// call's work where it stands. `nil`: it has not come.
    private func replaceWork(
        of id: OnceID, on context: some ExecutionContext,
        _ work: @escaping @Sendable () -> Void, now: LoopClock.Instant
    ) -> TimerHandle? {
        guard let loop = (context as? Loop).map(ObjectIdentifier.init) else { return nil }
        var replaced: (@Sendable () -> Void)? = work
        return entries.withLock { entries in
            guard let entry = entries.find(id), let limit = entry.limit, limit <= now,
                entry.loop == loop,
                let handle = entry.handle
            else { return nil }
            swap(&entry.newest, &replaced)
            return handle
        }
    }

    /// Ends the call, takes the entry out, and returns what is to run; `nil` if the call is over, or a
    /// newer one has replaced it.
    ///
    /// The entry holds its id, and what is to run is returned, so neither is released under the lock.
    private func end(_ run: Run) -> (@Sendable () -> Void)? {
        let entry = run.entry
        return entries.withLock { entries in
            guard entry.call == run.call else { return nil }
            entry.call += 1
            entry.handle = nil
            entries.remove(entry)
            return entry.newest.take() ?? run.work
        }
    }
}

extension ExecutionContext {
    /// Runs `work` here once, `delay` after the last call with this id: a newer call replaces the
    /// pending one, with its closure, its context and its deadline.
    ///
    /// Ids are compared with their type, so a private type is a private namespace; they are shared by
    /// all contexts of the process. They are compared under a lock: their `==` and `hash(into:)` must
    /// not call `once`. ``Coalescer`` is the same with a handle, for the hot path.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - id: What names the operation.
    ///   - delay: From this call to the run.
    ///   - maxWait: From the first call of a series to the run, at the latest; `nil`: no limit.
    ///   - leeway: How much later it may run.
    ///   - work: What runs.
    /// - Returns: The pending timer, over once a newer call has replaced it.
    /// - Complexity: O(1) on average, whatever the number of ids.
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, after delay: Duration = .zero, maxWait: Duration? = nil,
        leeway: Duration = .zero, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        OnceTable.shared.schedule(
            OnceID(id), on: self, after: delay, maxWait: maxWait, leeway: leeway, work)
    }
}
