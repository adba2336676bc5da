// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
public import Synchronization

/// Idle timeouts for very many connections: each marks itself as alive with a store, and one timer
/// finds those that have not.
///
/// ```swift
/// let idle = IdleTracker<Int32>(on: loop, after: .seconds(30)) { sockets in
///     sockets.forEach { close($0) }
/// }
/// let entry = idle.add(socket)
/// // On each read:
/// entry.touch()
/// // At the end of the connection:
/// entry.remove()
/// ```
///
/// An entry expires once, and never before the limit has passed since its last touch began. It may
/// expire by as much as the resolution later, in addition to what the loop is late. Entries expire
/// in the order of their last touches, at most 1,024 in a turn. Touches of one turn have no order.
///
/// An entry takes 13 bytes and its ID, and its handle 16; its memory is used again, by other
/// trackers too. Entries do not expire once the tracker is released, or on a loop that is shut
/// down.
///
/// It takes a loop and no other context, because a touch on the loop's own thread is a store of the
/// turn's time.
///
/// **Thread:** any.
public final class IdleTracker<ID: Hashable & Sendable>: Sendable {
    /// One ID of a tracker.
    public typealias Entry = IdleEntry

    private let table: IdleTable<ID>

    /// A tracker without entries. `expired` runs on `loop` with IDs whose entries have expired, and
    /// is released with the tracker.
    ///
    /// An entry expires when it has not been touched for the `limit`, and by as much as the
    /// `resolution` later, which is the interval of the tracker's timer; `nil`: a sixteenth of the
    /// limit, and at least a millisecond. A thousandth of the limit is the least that counts. Traps
    /// unless both are above zero.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(
        on loop: Loop, after limit: Duration, resolution: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ expired: @escaping @Sendable ([ID]) -> Void
    ) {
        check(
            limit > .zero && resolution ?? limit > .zero,
            "an IdleTracker needs a limit and a resolution above zero, not \(limit) and "
                + "\(resolution.map { "\($0)" } ?? "nil")", file: file, line: line)
        let clock = IdleClock(
            limit: limit.nanosecondsRoundedUp, resolution: resolution?.nanosecondsRoundedUp,
            isExact: loop.manual != nil)
        table = IdleTable(on: loop, clock, expired)
    }

    deinit { table.close() }

    /// Adds an entry for `id`, as if it were touched now. The entries of equal IDs are independent.
    ///
    /// - Returns: The entry's handle. Dropping it changes nothing.
    /// - Complexity: O(1), amortized.
    @discardableResult
    public func add(_ id: ID) -> Entry { table.add(id) }

    /// The number of entries.
    public var count: Int { table.count }
}

/// An ID that an ``IdleTracker`` watches, until it expires or is removed. A copy is the same entry.
///
/// **Thread:** any.
public struct IdleEntry: @unchecked Sendable {
    // because slots are atomic, and are never freed.
    @usableFromInline let slot: IdleSlot
    @usableFromInline let generation: UInt32

    /// Marks the ID as alive: its time begins anew. On the loop's own thread that is when the
    /// turn began.
    ///
    /// - Returns: False if the entry has expired or was removed. Nothing happens then.
    /// - Complexity: O(1). A store on the loop's own thread; elsewhere a clock and an atomic
    ///   operation.
    @discardableResult
    @inlinable
    public func touch() -> Bool {
        guard slot.generation.pointee.load(ordering: .relaxed) == generation else { return false }
        // An entry is there, so there is a tracker, and a loop.
        let turn = slot.chunk.turnTime
        guard _fastPath(turn != 0) else { return touchElsewhere() }
        // No other thread lets an entry expire, and a stamp of this turn counts for all of it.
        slot.stamp.pointee.store(turn, ordering: .relaxed)
        return true
    }

    /// A touch on another thread, in virtual time, or before the loop's first turn.
    @usableFromInline @inline(never)
    func touchElsewhere() -> Bool {
        let before = slot.touch(at: slot.chunk.now)
        return before != IdleSlot.expired && slot.number == generation
    }

    /// Removes the entry, and releases its ID.
    ///
    /// - Returns: Whether the entry was there. It does not expire, then.
    /// - Complexity: O(1), amortized.
    @discardableResult
    public func remove() -> Bool {
        let owner = slot.chunk.stamps.owner.withLock { $0 }
        return owner?.remove(slot.index, generation) ?? false
    }
}
