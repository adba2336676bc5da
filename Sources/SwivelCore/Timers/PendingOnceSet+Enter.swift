// SPDX-License-Identifier: Apache-2.0

extension PendingOnceSet {
    /// The result of a call.
    enum Entry {
        /// The only one of its id that can be replaced: it is listed.
        case new
        /// The same, and it replaces one whose timer has to be cancelled; `nil`: that is yet to be armed.
        case replaced(TimerHandle?)
        /// The work of a run that is on its way.
        case joined(TimerHandle)
    }

    /// Lists an operation whose limit is that of a new series, unless its work joins a run that is on
    /// its way. `now` and `clock` are its context's.
    mutating func enter(
        _ pending: PendingOnce, now: LoopClock.Instant, clock: ObjectIdentifier?
    ) -> Entry {
        if let place = pending.context, let standing = find(pending.id, standingOn: place),
            let handle = join(standing.takeUnretainedValue(), pending)
        {
            return .joined(handle)
        }
        guard let old = find(pending.id)?.takeUnretainedValue() else {
            insert(pending)
            return .new
        }
        let limit = old.limit.flatMap { $0.clock == clock ? $0 : nil }
        guard let limit, limit.instant <= now else {
            if pending.limit != nil, let limit { pending.limit = limit }
            remove(old)
            insert(pending)
            return .replaced(old.handle)
        }
        old.isStanding = true
        if old.context == pending.context, let handle = join(old, pending) {
            return .joined(handle)
        }
        insert(pending)
        return .new
    }

    /// Gives a run that is on its way the work of a later call. The work that it had is released with
    /// that call's operation.
    private func join(_ standing: PendingOnce, _ pending: PendingOnce) -> TimerHandle? {
        guard let handle = standing.handle else { return nil }
        swap(&standing.work, &pending.work)
        return handle
    }
}
