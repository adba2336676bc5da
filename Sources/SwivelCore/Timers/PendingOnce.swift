// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// One pending `once` operation.
final class PendingOnce: @unchecked Sendable {
    // because the lock of the shard that lists it guards everything that changes.
    let id: OnceID
    /// Its context; `nil`: it does not count, because there is no limit.
    let context: ContextIdentity?
    /// The shard's lock makes its accesses exclusive.
    @exclusivity(unchecked) var work: Work?
    /// How often the process had forked when the operation was listed.
    let forks = swivel_forks()
    /// Whether its work can still be replaced. Once false, never true again.
    var isListed = false
    /// Its limit has come, and the run is on its way: a call on its context joins it, and no call puts
    /// it off. Any other one begins a series beside it.
    var isStanding = false
    /// The next operation in the same bucket, and the one before, whose `next` this is.
    var next: Unmanaged<PendingOnce>?
    var previous: Unmanaged<PendingOnce>?
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
}

/// Pending operations by the hash of their ids. The set retains what it lists.
///
/// Ids with the same hash are searched one by one, under the lock of their shard. They have no
/// order, so only a good hash tells them apart quickly.
struct PendingOnceSet {
    private var buckets: [Unmanaged<PendingOnce>?] = [nil]
    private var count = 0

    /// The operation that a call replaces, or one that stands on this context. It is valid while it is
    /// listed.
    ///
    /// - Complexity: O(1), and O(n) among n ids of one hash.
    @inline(__always)
    func find(
        _ id: OnceID, standingOn context: ContextIdentity? = nil
    ) -> Unmanaged<PendingOnce>? {
        var candidate = buckets[bucket(of: id)]
        while let pending = candidate {
            let isMeant = pending._withUnsafeGuaranteedRef { pending in
                pending.id == id && pending.isStanding == (context != nil)
                    && (context == nil || pending.context == context)
            }
            if isMeant { break }
            candidate = pending._withUnsafeGuaranteedRef { $0.next }
        }
        return candidate
    }

    mutating func insert(_ pending: PendingOnce) {
        if count == buckets.count {
            resize(to: count * 2)
        }
        push(.passRetained(pending))
        count += 1
        pending.isListed = true
    }

    /// Takes a listed operation out. It is the caller's, too, and not released here.
    ///
    /// - Complexity: O(1).
    mutating func remove(_ pending: PendingOnce) {
        let next = pending.next.take()
        let previous = pending.previous.take()
        next?._withUnsafeGuaranteedRef { $0.previous = previous }
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.next = next }
        } else {
            buckets[bucket(of: pending.id)] = next
        }
        pending.isListed = false
        Unmanaged.passUnretained(pending).release()
        count -= 1
        if count < buckets.count / 8 {
            resize(to: buckets.count / 4)
        }
    }

    /// The table's shards share the lowest bits.
    private func bucket(of id: OnceID) -> Int {
        (id.hash >> OnceTable.shardBits) & (buckets.count - 1)
    }

    private mutating func push(_ pending: Unmanaged<PendingOnce>) {
        pending._withUnsafeGuaranteedRef { operation in
            let bucket = bucket(of: operation.id)
            operation.next = buckets[bucket]
            operation.previous = nil
            operation.next?._withUnsafeGuaranteedRef { $0.previous = pending }
            buckets[bucket] = pending
        }
    }

    private mutating func resize(to size: Int) {
        let old = buckets
        buckets = Array(repeating: nil, count: size)
        for first in old {
            var candidate = first
            while let pending = candidate {
                candidate = pending._withUnsafeGuaranteedRef { $0.next }
                push(pending)
            }
        }
    }
}
