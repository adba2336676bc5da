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
/// Use a timer for each request where each has a closure of its own. Here they share one, and come in
/// batches: in the order of their deadlines, equal ones in the order in which they were set, at most
/// 1,024 in a turn. A deadline is never early.
///
/// Releasing the queue forgets the deadlines. Nothing expires on a loop that is shut down.
public final class DeadlineQueue<ID: Sendable>: Sendable {
    /// One deadline of a queue.
    public typealias Entry = DeadlineEntry

    private let table: DeadlineTable<ID>

    /// A queue without deadlines.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - loop: Where `expired` runs, and whose clock counts.
    ///   - expired: Runs on the loop with the IDs whose deadlines have come. Their entries are gone.
    ///     It is released with the queue.
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(on loop: Loop, _ expired: @escaping @Sendable ([ID]) -> Void) {
        table = DeadlineTable(on: loop, expired)
    }

    deinit {
        table.close()
    }

    /// Sets a deadline.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - id: What `expired` gets.
    ///   - deadline: On the loop's clock. One that has passed comes in the loop's next turn.
    /// - Returns: The handle to move and remove it. Dropping it changes nothing.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func add(_ id: ID, at deadline: LoopClock.Instant) -> Entry {
        let (slot, generation) = table.add(id, deadline.nanoseconds)
        return DeadlineEntry(owner: table, slot: slot, generation: generation)
    }

    /// Sets a deadline `delay` from now; see ``add(_:at:)``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - id: What `expired` gets.
    ///   - delay: From now; zero or less means the loop's next turn.
    /// - Returns: The handle to move and remove it.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func add(_ id: ID, after delay: Duration) -> Entry {
        let (slot, generation) = table.add(id, table.instant(after: delay))
        return DeadlineEntry(owner: table, slot: slot, generation: generation)
    }

    /// The number of deadlines that are set. **Thread:** any.
    public var count: Int { table.count }
}

/// A deadline of a ``DeadlineQueue``, until it comes or is removed. A copy is the same deadline.
public struct DeadlineEntry: Sendable {
    let owner: DeadlineOwner
    let slot: Int
    let generation: UInt32

    /// Moves the deadline.
    ///
    /// **Thread:** any.
    /// - Parameter deadline: On the loop's clock. One that has passed comes in the loop's next turn.
    /// - Returns: False if it has come or was removed. Nothing happens then.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func move(to deadline: LoopClock.Instant) -> Bool {
        owner.move(slot, generation, to: deadline.nanoseconds)
    }

    /// Moves the deadline to `delay` from now; see ``move(to:)``.
    ///
    /// **Thread:** any.
    /// - Parameter delay: From now; zero or less means the loop's next turn.
    /// - Returns: False if it has come or was removed. Nothing happens then.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func move(after delay: Duration) -> Bool {
        owner.move(slot, generation, to: owner.instant(after: delay))
    }

    /// Removes the deadline, and releases its ID.
    ///
    /// **Thread:** any.
    /// - Returns: Whether it was set. It does not come, then.
    /// - Complexity: O(log n) of the deadlines that are set.
    @discardableResult
    public func remove() -> Bool {
        owner.remove(slot, generation)
    }
}
