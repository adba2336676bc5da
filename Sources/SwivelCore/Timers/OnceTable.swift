// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The pending `once` operations of the process, in shards: loops rarely contend for a lock.
///
/// A call replaces the pending operation of its id. On the loop's own thread it swaps the closure
/// and moves the node, under a new handle. Everywhere else it makes a new timer: the old one is
/// cancelled and the new one armed outside the lock.
final class OnceTable: Sendable {
    static let shared = OnceTable()

    private let shards = (0..<16).map { _ in Lock.ofProcess { _ in PendingOnceSet() } }

    @inline(__always)
    private func withShard<R>(of id: OnceID, _ body: (inout PendingOnceSet) -> R) -> R {
        shards[id.hash & (shards.count - 1)].withLock(body)
    }

    /// The last call wins: closure, context and deadline. `loop` is `context` if that is a loop.
    func schedule(
        _ id: OnceID, on context: some ExecutionContext, loop: Loop?, after delay: Duration,
        maxWait: Duration?, leeway: Duration, label: StaticString?, _ work: Work?
    ) -> TimerHandle {
        let identity =
            loop.map { .object(ObjectIdentifier($0)) }
            ?? (maxWait == nil ? nil : ContextIdentity(context))
        let pending = PendingOnce(id, on: identity, work)
        // All other time is real, also inside a manual loop's closures.
        let manual = context.manualLoop
        let now = manual?.now ?? loop?.now ?? LoopClock.Instant(nanoseconds: swivel_now_ns())
        // Between two clocks there is no before and after: on another one a series begins anew.
        let clock = manual.map { ObjectIdentifier($0) }
        pending.limit = maxWait.map { (instant: now.advanced(by: $0), clock: clock) }
        switch withShard(of: id, { $0.enter(pending, now: now, clock: clock) }) {
        case .joined(let handle): return handle
        case .listed(let old): old?.cancel()
        }
        let latest = pending.limit.map { now.duration(to: $0.instant) } ?? delay
        return arm(pending, on: context, after: min(delay, latest), leeway: leeway, label)
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
        let isListed = withShard(of: pending.id) { _ in
            pending.handle = handle
            return pending.isListed
        }
        if !isListed { handle.cancel() }
        return handle
    }

    /// The short way of `schedule`, on the thread of the loop where the id's operation is pending.
    /// `work` becomes the work that it has replaced, to be released outside the lock. `nil`: the id
    /// is not pending there, or takes more than a move, and nothing is changed.
    func renew(
        _ id: OnceID, on loop: Loop, after delay: Duration, maxWait: Duration?, leeway: Duration,
        _ work: inout Work?
    ) -> TimerHandle? {
        let nanoseconds = delay.nanosecondsRoundedUp
        guard swivel__is_own(loop.record), nanoseconds != 0 else { return nil }
        let deadline = swivel__own_deadline(loop.record, nanoseconds)
        let leeway = leeway.nanosecondsRoundedUp
        let identity = ContextIdentity.object(ObjectIdentifier(loop))
        return withShard(of: id) { set in
            guard let pending = set[id], pending.context == identity, let old = pending.handle
            else { return nil }
            // The other way keeps a run whose limit has come.
            if let limit = pending.limit, limit.instant <= loop.now { return nil }
            let clock = loop.manual == nil ? nil : ObjectIdentifier(loop)
            let limit = maxWait.map {
                pending.limit ?? (instant: loop.now.advanced(by: $0), clock: clock)
            }
            let latest = min(deadline, limit?.instant.nanoseconds ?? .max)
            let timer = swivel__own_renew(old.timer, latest, leeway)
            guard timer.loop != nil else { return nil }
            swap(&pending.work, &work)
            pending.limit = limit
            pending.handle = TimerHandle(timer)
            return pending.handle
        }
    }

    /// Ends an operation and returns its work; `nil` if it is over or a newer call has replaced it.
    /// The user's closure is not released under the lock.
    func end(_ pending: PendingOnce) -> Work? {
        withShard(of: pending.id) { set in
            guard pending.isListed else { return nil }
            set.remove(pending)
            return pending.work.take()
        }
    }
}
