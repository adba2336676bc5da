// SPDX-License-Identifier: Apache-2.0

/// One pending `once` operation.
final class PendingOnce: @unchecked Sendable {
    // because the lock of the shard that lists it guards everything that changes.
    let id: OnceID
    /// Its context; `nil`: it does not count, because there is no limit.
    let context: ContextIdentity?
    var work: Work?
    /// Whether its work can still be replaced. Once false, never true again.
    var isListed = true
    /// Its limit has come, and the run is on its way: a call on its context joins it, any other
    /// call begins a series of its own, and none puts it off.
    var isStanding = false
    /// `nil` while the timer is being armed.
    var handle: TimerHandle?
    /// The latest instant at which the series' run starts, and the loop whose virtual time that is;
    /// `nil`: it is real.
    var limit: (instant: LoopClock.Instant, clock: ObjectIdentifier?)?

    init(_ id: OnceID, on context: ContextIdentity?, _ work: Work?) {
        self.id = id
        self.context = context
        self.work = work
    }

    /// Gives a run that is on its way the work of a later call. The work that it had is released
    /// with that call's operation.
    fileprivate func join(_ later: PendingOnce) -> TimerHandle? {
        guard let handle else { return nil }
        swap(&work, &later.work)
        return handle
    }
}

/// The pending operations of a shard.
struct PendingOnceSet {
    /// The result of a call.
    enum Entry {
        /// It is listed, and can be replaced. The timer of one that it replaces has to be
        /// cancelled; `nil`: there is none yet.
        case listed(replacing: TimerHandle?)
        /// Its work has replaced that of a run that is on its way.
        case joined(TimerHandle)
    }

    private var replaceable: [OnceID: PendingOnce] = [:]
    private var standing: [OnceID: [PendingOnce]] = [:]

    /// The operation that a call replaces.
    subscript(id: OnceID) -> PendingOnce? { replaceable[id] }

    /// Lists an operation, unless its work joins a run that is on its way. `now` and `clock` are
    /// those of its context.
    mutating func enter(
        _ pending: PendingOnce, now: LoopClock.Instant, clock: ObjectIdentifier?
    ) -> Entry {
        let id = pending.id
        if let context = pending.context,
            let run = standing[id]?.first(where: { $0.context == context }),
            let handle = run.join(pending)
        {
            return .joined(handle)
        }
        guard let old = replaceable[id] else {
            replaceable[id] = pending
            return .listed(replacing: nil)
        }
        let limit = old.limit.flatMap { $0.clock == clock ? $0 : nil }
        if let limit, limit.instant <= now {
            old.isStanding = true
            replaceable[id] = nil
            standing[id, default: []].append(old)
            if old.context == pending.context, let handle = old.join(pending) {
                return .joined(handle)
            }
            replaceable[id] = pending
            return .listed(replacing: nil)
        }
        if pending.limit != nil, let limit { pending.limit = limit }
        remove(old)
        replaceable[id] = pending
        return .listed(replacing: old.handle)
    }

    /// Takes a listed operation out. The caller retains it. In a forked child it may be listed in
    /// the parent's set.
    mutating func remove(_ pending: PendingOnce) {
        pending.isListed = false
        guard pending.isStanding else {
            if replaceable[pending.id] === pending { replaceable[pending.id] = nil }
            return
        }
        standing[pending.id]?.removeAll { $0 === pending }
        if standing[pending.id]?.isEmpty == true { standing[pending.id] = nil }
    }
}

/// An id of `once`. Its type counts as well as its value, so a private type is a private namespace.
/// (`AnyHashable` takes `1` and `1.0` for equal.)
struct OnceID: Sendable, Hashable {
    let hash: Int
    /// The id if it is a string, as most are: strings are compared without their type's tables.
    private let name: String
    /// The id if it is no string.
    private let other: (any OtherID)?

    init<ID: Hashable & Sendable>(_ id: ID) {
        if ID.self == String.self {
            name = unsafeBitCast(id, to: String.self)  // ID is String
            other = nil
            hash = name.hashValue
        } else {
            name = ""
            other = TypedID(id)
            hash = id.hashValue
        }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.hash == rhs.hash, lhs.name == rhs.name else { return false }
        guard let other = lhs.other else { return rhs.other == nil }
        return rhs.other?.isSame(as: other) ?? false
    }
}

/// An id of any type, behind one word: copying an existential would cost more than the rest of a
/// call.
private protocol OtherID: AnyObject, Sendable {
    func isSame(as other: any OtherID) -> Bool
}

private final class TypedID<ID: Hashable & Sendable>: OtherID {
    let id: ID

    init(_ id: ID) { self.id = id }

    func isSame(as other: any OtherID) -> Bool {
        // A cast would call the runtime. Classes are compared as words.
        type(of: other) == Self.self && unsafeDowncast(other, to: Self.self).id == id
    }
}
