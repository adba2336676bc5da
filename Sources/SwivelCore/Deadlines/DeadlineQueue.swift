// SPDX-License-Identifier: Apache-2.0

/// Deadlines of very many requests under one timer: each has its own instant, which can be moved.
///
/// ```swift
/// let deadlines = DeadlineQueue<Request.ID>(on: loop) { late in
///     late.forEach { fail($0) }
/// }
/// let deadline = deadlines.add(request.id, after: .seconds(2))
/// // More time for it:
/// deadline.move(after: .seconds(5))
/// // With the answer:
/// deadline.remove()
/// ```
///
/// Use a timer per request if each has a closure of its own. Here they share one, which gets them
/// in batches: in the order of their deadlines, equal ones in the order in which they were set, at
/// most 1,024 in a turn. A deadline is never early. One that has passed when it is set comes in the
/// loop's next turn. Releasing the queue forgets the deadlines. Nothing expires on a loop that is
/// shut down.
///
/// It takes a loop and no other context: a batch on its way to another context could hold deadlines
/// that were moved or removed before it starts there.
///
/// **Thread:** any.
public final class DeadlineQueue<ID: Sendable>: Sendable {
    /// One deadline of a queue.
    public typealias Entry = DeadlineEntry

    private let table: DeadlineTable<ID>

    /// A queue without deadlines. `expired` runs on `loop`, whose clock counts, with the IDs whose
    /// deadlines have come, and is released with the queue.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(on loop: Loop, _ expired: @escaping @Sendable ([ID]) -> Void) {
        table = DeadlineTable(on: loop, expired)
    }

    deinit { table.close() }

    /// Sets a `deadline` for `id`, on the loop's clock.
    ///
    /// - Returns: The handle to move and remove it. Dropping it changes nothing.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func add(_ id: ID, at deadline: LoopClock.Instant) -> Entry {
        table.add(id, deadline.nanoseconds)
    }

    /// Sets a deadline for `id`, `delay` from now; zero or less means the loop's next turn.
    ///
    /// - Returns: The handle to move and remove it. Dropping it changes nothing.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func add(_ id: ID, after delay: Duration) -> Entry {
        add(id, at: table.loop.now.advanced(by: delay))
    }

    /// The number of deadlines that are set.
    public var count: Int { table.count }
}

/// A deadline of a ``DeadlineQueue``, until it comes or is removed. A copy is the same deadline.
///
/// **Thread:** any.
public struct DeadlineEntry: Sendable {
    let owner: any DeadlineOwner
    let slot: UInt32
    let generation: UInt32

    /// Moves it to `deadline`, on the loop's clock.
    ///
    /// - Returns: False if it has come or was removed. Nothing happens then.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func move(to deadline: LoopClock.Instant) -> Bool {
        owner.move(self, to: deadline.nanoseconds)
    }

    /// Moves the deadline to `delay` from now; see ``move(to:)``.
    ///
    /// - Returns: False if it has come or was removed. Nothing happens then.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func move(after delay: Duration) -> Bool { move(to: owner.loop.now.advanced(by: delay)) }

    /// Removes the deadline, and releases its ID.
    ///
    /// - Returns: Whether it was set. It does not come, then.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func remove() -> Bool { owner.remove(self) }
}

/// The part of a ``DeadlineQueue`` that its entries reach.
protocol DeadlineOwner: AnyObject, Sendable {
    var loop: Loop { get }
    func move(_ entry: DeadlineEntry, to deadline: UInt64) -> Bool
    func remove(_ entry: DeadlineEntry) -> Bool
}
