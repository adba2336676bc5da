// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// The pending `once` operations of the process, in shards, so that loops rarely contend for a
/// lock.
///
/// A call replaces the pending operation of its id. On the loop's own thread it swaps the closure
/// and moves the node, under a new handle. Everywhere else it makes a new timer: the old one is
/// cancelled and the new one armed outside the lock.
final class OnceTable: Sendable {
    static var shared: OnceTable { FirstUse.of(only) }
    private static let only = OnceTable()
    static let shardBits = 4

    private let shards = (0..<(1 << shardBits)).map { _ in Lock(PendingOnceSet()) }

    private func shard(of id: OnceID) -> Lock<PendingOnceSet> {
        shards[id.hash & ((1 << Self.shardBits) - 1)]
    }

    /// The last call wins: closure, context and deadline. `loop` is `context` if that is a loop.
    func schedule(
        _ id: OnceID, on context: some ExecutionContext, loop: Loop?, after delay: Duration,
        maxWait: Duration?, leeway: Duration, label: StaticString?, _ work: Work
    ) -> TimerHandle {
        let place = loop.map(ObjectIdentifier.init) ?? Self.identity(of: context)
        let pending = PendingOnce(id, on: place, work)
        let now = maxWait == nil ? nil : (loop ?? .shared).now
        // Between two clocks there is no before and after: on another one a series begins anew.
        let clock = loop?.manual == nil ? nil : place
        let latest = maxWait.flatMap { now?.advanced(by: $0) }.map { (instant: $0, clock: clock) }
        var delay = delay
        let (standing, replaced) = shard(of: id).withLock { set -> (TimerHandle?, TimerHandle?) in
            guard let old = set.find(id) else {
                pending.limit = latest
                set.insert(pending)
                return (nil, nil)
            }
            let limit = old.limit.flatMap { $0.clock == clock ? $0 : nil }
            if let limit, let now, limit.instant <= now, let place, old.context == place,
                let handle = old.handle
            {
                // The limit of the pending run has come: it is not put off, and runs this call's
                // work in its own place.
                swap(&old.work, &pending.work)
                return (handle, nil)
            }
            pending.limit = maxWait.flatMap { _ in limit ?? latest }
            set.remove(old)
            set.insert(pending)
            return (nil, old.handle)
        }
        if let standing { return standing }
        replaced?.cancel()
        if let now, let limit = pending.limit {
            delay = min(delay, now.duration(to: limit.instant))
        }
        return arm(pending, on: context, after: delay, leeway: leeway, label)
    }

    /// The identity of a context: its address, or its type if it has no state.
    private static func identity<Context: ExecutionContext>(
        of context: Context
    ) -> ObjectIdentifier? {
        if Context.self is AnyClass { return ObjectIdentifier(context as AnyObject) }
        return MemoryLayout<Context>.size == 0 ? ObjectIdentifier(Context.self) : nil
    }

    /// Arms the timer of an operation that is listed, outside the lock, and cancels it if a newer
    /// call came in between.
    private func arm(
        _ pending: PendingOnce, on context: some ExecutionContext, after delay: Duration,
        leeway: Duration, _ label: StaticString?
    ) -> TimerHandle {
        // When the timer lets go of its closure, in whatever way, the operation is over.
        let notice = DropNotice(pending) { _ = OnceTable.shared.end($0) }
        let run: @Sendable () -> Void = { OnceTable.shared.end(notice.dismiss())?.run() }
        let handle = context.schedule(after: delay, leeway: leeway, label: label, run)
        let isListed = shard(of: pending.id).withLock { _ in
            pending.handle = handle
            return pending.isListed
        }
        if !isListed {
            handle.cancel()
        }
        return handle
    }

    /// The short way of `schedule`, on the thread of the loop where the id's operation is pending.
    /// `nil`: it is not pending there, or takes more than a move.
    func renew(
        _ id: OnceID, on loop: Loop, after delay: Duration, maxWait: Duration?, leeway: Duration,
        _ work: Work
    ) -> TimerHandle? {
        let nanoseconds = delay.nanosecondsRoundedUp
        guard swivel__is_own(loop.record), nanoseconds != 0 else { return nil }
        var latest = swivel__own_deadline(loop.record, nanoseconds)
        let leeway = leeway.nanosecondsRoundedUp
        var replaced: Work? = work
        return shard(of: id).withLock { set in
            guard let pending = set.find(id), pending.context == ObjectIdentifier(loop),
                let old = pending.handle
            else { return nil }
            let clock = loop.manual == nil ? nil : pending.context
            let limit = maxWait.map {
                pending.limit ?? (instant: loop.now.advanced(by: $0), clock: clock)
            }
            if let limit { latest = min(latest, limit.instant.nanoseconds) }
            let timer = swivel__own_renew(old.timer, latest, leeway)
            guard timer.loop != nil else { return nil }
            swap(&pending.work, &replaced)
            pending.limit = limit
            pending.handle = TimerHandle(timer)
            return pending.handle
        }
    }

    /// Ends an operation and returns its work; `nil` if it is over or a newer call has replaced it.
    /// The user's closure is not released under the lock.
    func end(_ pending: PendingOnce) -> Work? {
        shard(of: pending.id).withLock { set in
            guard pending.isListed else { return nil }
            set.remove(pending)
            return pending.work.take()
        }
    }
}
