// SPDX-License-Identifier: Apache-2.0

/// One pending `once` operation.
final class PendingOnce: @unchecked Sendable {
    // because the lock of the shard that lists it guards everything that changes.
    let id: OnceID
    /// The identity of its context; `nil` if it has none.
    let context: ObjectIdentifier?
    /// The shard's lock makes its accesses exclusive.
    @exclusivity(unchecked) var work: Work?
    /// Whether it is the last call of its id. Once false, never true again.
    var isListed = false
    /// The next operation in the same bucket, and the one before, whose `next` this is.
    var next: PendingOnce?
    unowned(unsafe) var previous: PendingOnce?
    /// `nil` while the timer is being armed.
    var handle: TimerHandle?
    /// The latest instant at which the series' run starts, and the loop whose virtual time that is;
    /// `nil`: it is real.
    var limit: (instant: LoopClock.Instant, clock: ObjectIdentifier?)?

    init(_ id: OnceID, on context: ObjectIdentifier?, _ work: Work) {
        self.id = id
        self.context = context
        self.work = work
    }
}

/// Pending operations by the hash of their ids.
///
/// Ids with the same hash are searched one by one, under the lock of their shard. They have no
/// order, so only a good hash tells them apart quickly.
struct PendingOnceSet {
    private var buckets: [PendingOnce?] = [nil]
    private var count = 0

    /// - Complexity: O(1), and O(n) among n ids of one hash.
    func find(_ id: OnceID) -> PendingOnce? {
        var candidate = buckets[bucket(of: id)]
        while let pending = candidate, !(pending.id == id) {
            candidate = pending.next
        }
        return candidate
    }

    mutating func insert(_ pending: PendingOnce) {
        if count == buckets.count {
            resize(to: count * 2)
        }
        push(pending)
        count += 1
        pending.isListed = true
    }

    /// Takes a listed operation out.
    ///
    /// - Complexity: O(1).
    mutating func remove(_ pending: PendingOnce) {
        let next = pending.next.take()
        next?.previous = pending.previous
        if let previous = pending.previous {
            previous.next = next
        } else {
            buckets[bucket(of: pending.id)] = next
        }
        pending.previous = nil
        pending.isListed = false
        count -= 1
        if count < buckets.count / 8 {
            resize(to: buckets.count / 4)
        }
    }

    /// The table's shards share the lowest bits.
    private func bucket(of id: OnceID) -> Int {
        (id.hash >> OnceTable.shardBits) & (buckets.count - 1)
    }

    private mutating func push(_ pending: PendingOnce) {
        let bucket = bucket(of: pending.id)
        pending.next = buckets[bucket]
        pending.next?.previous = pending
        pending.previous = nil
        buckets[bucket] = pending
    }

    private mutating func resize(to size: Int) {
        var old = buckets
        buckets = Array(repeating: nil, count: size)
        for bucket in old.indices {
            var candidate = old[bucket].take()
            while let pending = candidate {
                candidate = pending.next
                push(pending)
            }
        }
    }
}
