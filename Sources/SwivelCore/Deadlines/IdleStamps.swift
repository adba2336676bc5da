// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// The room of one entry of an ``IdleTracker``: a touch reads and writes one line of the cache.
struct IdleSlot: ~Copyable {
    /// When the entry was touched last, in nanoseconds.
    let stamp = Atomic<UInt64>(0)
    /// Odd: the slot has an entry, which knows the number.
    let generation = Atomic<UInt32>(0)
    /// The next free slot. Under the table's lock.
    var next: UInt32 = 0

    /// The stamp of an entry that has expired.
    static var expired: UInt64 { .max }

    var isLive: Bool { generation.load(ordering: .relaxed) % 2 == 1 }

    /// Ends an entry that was not touched since `stamp`. **Thread:** the loop's.
    func expire(since stamp: UInt64) -> Bool {
        self.stamp.compareExchange(expected: stamp, desired: Self.expired, ordering: .relaxed)
            .exchanged
    }
}

/// The part of an ``IdleTracker`` that its entries reach without a lock or a reference count: when
/// each was touched last.
///
/// It lives as long as the process, so that an entry is two words which anybody may copy and keep.
/// Another tracker uses it again, chunks and all; the generations tell the entries of the one from
/// those of the other.
final class IdleStamps: @unchecked Sendable {
    // because slots are atomic, and the directory is replaced under the lock of the tracker that
    // uses it, by a longer copy of itself; both stay.

    /// Slots of a chunk.
    static let chunkCount = 1024

    private static let unused = Lock<[IdleStamps]>([])
    /// The loop of the tracker.
    private let record = Atomic<OpaquePointer?>(nil)
    /// The tracker's part that knows its IDs; `nil`: the tracker is gone.
    private let owner = Lock<(any IdleOwner)?>(nil)
    private let directory = Atomic<UnsafeMutablePointer<UnsafeMutablePointer<IdleSlot>>?>(nil)
    private(set) var chunks = 0
    /// Directories that were too short. They stay: a touch may be reading one.
    private var shorter: [UnsafeMutablePointer<UnsafeMutablePointer<IdleSlot>>] = []

    private init() {}

    /// Stamps of no entry.
    static func take() -> IdleStamps {
        if let used = unused.withLock({ $0.popLast() }) { return used }
        let stamps = IdleStamps()
        _ = Unmanaged.passRetained(stamps)
        return stamps
    }

    func begin(_ owner: any IdleOwner, on loop: Loop) {
        record.store(loop.record, ordering: .relaxed)
        self.owner.withLock { $0 = owner }
    }

    /// The tracker is gone, and has ended its entries.
    func end() {
        // Released outside of the lock.
        let owner = owner.withLock { owner in
            defer { owner = nil }
            return owner
        }
        withExtendedLifetime(owner) {}
        Self.unused.withLock { $0.append(self) }
    }

    /// Adds a chunk. **Thread:** under the table's lock.
    func addChunk() {
        let chunk = UnsafeMutablePointer<IdleSlot>.allocate(capacity: Self.chunkCount)
        for slot in 0..<Self.chunkCount { (chunk + slot).initialize(to: IdleSlot()) }
        if let directory = directory.load(ordering: .relaxed), chunks & (chunks - 1) != 0 {
            // Nobody reads the place of a chunk that has no entry yet.
            (directory + chunks).initialize(to: chunk)
        } else {
            replaceDirectory(adding: chunk)
        }
        chunks += 1
    }

    /// Makes a longer directory.
    private func replaceDirectory(adding chunk: UnsafeMutablePointer<IdleSlot>) {
        let longer = UnsafeMutablePointer<UnsafeMutablePointer<IdleSlot>>
            .allocate(capacity: max(1, 2 * chunks))
        if let before = directory.load(ordering: .relaxed) {
            longer.initialize(from: before, count: chunks)
            shorter.append(before)
        }
        (longer + chunks).initialize(to: chunk)
        directory.store(longer, ordering: .releasing)
    }

    @inline(__always)
    func slot(_ index: Int) -> UnsafeMutablePointer<IdleSlot> {
        let chunk = directory.load(ordering: .acquiring).unsafelyUnwrapped[
            Int(UInt(bitPattern: index) / UInt(Self.chunkCount))]
        return chunk + Int(UInt(bitPattern: index) % UInt(Self.chunkCount))
    }

    /// Whether the entry is still there. It was touched now, then.
    @inline(__always)
    func touch(_ index: UInt32, _ generation: UInt32) -> Bool {
        let slot = slot(Int(index))
        guard slot.pointee.generation.load(ordering: .relaxed) == generation else { return false }
        // An entry is there, so there is a tracker, which has a loop.
        let record = record.load(ordering: .relaxed).unsafelyUnwrapped
        let turn = swivel__own_turn_time(record)
        guard turn != 0 else { return Self.touchElsewhere(record, slot, generation) }
        // No other thread lets an entry expire, and a stamp of this turn counts for all of it.
        slot.pointee.stamp.store(turn, ordering: .relaxed)
        return true
    }

    @inline(never)
    private static func touchElsewhere(
        _ record: OpaquePointer, _ slot: UnsafeMutablePointer<IdleSlot>, _ generation: UInt32
    ) -> Bool {
        let (before, _) = slot.pointee.stamp.max(swivel_loop_now(record), ordering: .relaxed)
        return before != IdleSlot.expired
            && slot.pointee.generation.load(ordering: .relaxed) == generation
    }

    /// Forgets an entry. Returns whether it was there. **Thread:** any.
    func remove(_ index: UInt32, _ generation: UInt32) -> Bool {
        owner.withLock { $0 }?.remove(index, generation) ?? false
    }
}

/// The part of an ``IdleTracker`` that knows its IDs.
protocol IdleOwner: AnyObject, Sendable {
    /// Forgets an entry. Returns whether it was there. **Thread:** any.
    func remove(_ index: UInt32, _ generation: UInt32) -> Bool
}
