// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A timer that is not a node of its context's own loop: its handles find it in a ``TimerTable``,
/// and call it for what ``TimerHandle`` documents.
package protocol TableTimer: AnyObject, Sendable {
    func cancel() -> CancelResult
    func rearm(after delay: Duration) -> Bool
    var isPending: Bool { get }
    /// Calls `body` when the closure ends. False: it is not running.
    func watch(_ body: @escaping @Sendable () -> Void) -> Bool
}

/// Timers by the number in their handles. It is never released, because handles do not retain it.
package final class TimerTable: Sendable {
    package typealias Shard = Lock<[UInt64: any TableTimer]>

    /// Threads that use different timers rarely contend for a lock.
    private let shards = (0..<16).map { _ in Shard.ofProcess { _ in [:] } }
    private let lastID = Atomic<UInt64>(0)

    package init() {}

    /// A number that no other timer of the table has.
    package func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The lock of a timer's entry, which may guard the timer, too.
    package func shard(of id: UInt64) -> Shard { shards[Int(truncatingIfNeeded: id & 15)] }

    package func insert(_ timer: any TableTimer, _ id: UInt64) {
        shard(of: id).withLock { $0[id] = timer }
    }

    package func remove(_ id: UInt64) {
        // The timer is released after the lock.
        _ = shard(of: id).withLock { timers in
            defer {
                // A dictionary does not shrink by itself.
                if timers.capacity > 64 && timers.count < timers.capacity / 8 {
                    timers = timers.filter { _ in true }
                }
            }
            return timers.removeValue(forKey: id)
        }
    }

    package func find(_ id: UInt64) -> (any TableTimer)? { shard(of: id).withLock { $0[id] } }

    package var all: [any TableTimer] { shards.flatMap { $0.withLock { Array($0.values) } } }

    package var count: Int { shards.reduce(0) { $0 + $1.withLock { $0.count } } }
}
