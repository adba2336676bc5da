// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// The room of one entry of an ``IdleTracker``: a touch reads and writes one line of the cache.
///
/// The first slot of a chunk is its head, and never has an entry.
struct IdleSlot: ~Copyable {
    /// When the entry was touched last, in nanoseconds. Of a head: where its ``IdleStamps`` are.
    let stamp: Atomic<UInt64>
    /// Odd: the slot has an entry, which knows the number.
    let generation: Atomic<UInt32>
    /// The next free slot, under the table's lock. Of a head: the chunk's number.
    var next: UInt32

    /// A slot that no entry has used.
    init() {
        stamp = Atomic(0)
        generation = Atomic(0)
        next = 0
    }

    /// The head of a chunk.
    init(chunk: Int, of stamps: IdleStamps) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(stamps).toOpaque())
        stamp = Atomic(UInt64(address))
        generation = Atomic(Self.worn)
        next = UInt32(chunk)
    }

    /// The stamp of an entry that has expired.
    static var expired: UInt64 { .max }
    /// The generation of a slot that has no numbers left for entries.
    private static var worn: UInt32 { .max - 1 }

    var isLive: Bool { generation.load(ordering: .relaxed) % 2 == 1 }

    /// Whether the slot has numbers left for its entries.
    var isUsable: Bool { generation.load(ordering: .relaxed) < Self.worn }

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
    // because slots are atomic, and the list of the chunks is under the lock of the tracker that
    // uses them.

    /// Slots of a chunk.
    static let chunkCount = 1024
    /// A chunk lies at a multiple of this, so that a slot's address tells its head's.
    private static let chunkSize = chunkCount * MemoryLayout<IdleSlot>.stride

    private static let unused = Lock<[IdleStamps]>([])
    /// The loop of the tracker.
    private let record = Atomic<OpaquePointer?>(nil)
    /// The tracker's part that knows its IDs; `nil`: the tracker is gone.
    private let owner = Lock<(any IdleOwner)?>(nil)
    /// Under the table's lock.
    private(set) var chunks: [UnsafeMutablePointer<IdleSlot>] = []

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
        let chunk =
            UnsafeMutableRawPointer
            .allocate(byteCount: Self.chunkSize, alignment: Self.chunkSize)
            .bindMemory(to: IdleSlot.self, capacity: Self.chunkCount)
        chunk.initialize(to: IdleSlot(chunk: chunks.count, of: self))
        for place in 1..<Self.chunkCount { (chunk + place).initialize(to: IdleSlot()) }
        chunks.append(chunk)
    }

    /// **Thread:** under the table's lock.
    func slot(_ index: Int) -> UnsafeMutablePointer<IdleSlot> {
        chunks[index / Self.chunkCount] + index % Self.chunkCount
    }

    /// The head of the slot's chunk.
    @inline(__always)
    private static func head(
        of slot: UnsafeMutablePointer<IdleSlot>
    ) -> UnsafeMutablePointer<IdleSlot> {
        let address = UInt(bitPattern: slot) & ~UInt(chunkSize - 1)
        return UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    @inline(__always)
    private static func stamps(
        of head: UnsafeMutablePointer<IdleSlot>
    ) -> Unmanaged<IdleStamps> {
        let address = UInt(head.pointee.stamp.load(ordering: .relaxed))
        return .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }

    /// Whether the entry is still there. It was touched now, then.
    @inline(__always)
    static func touch(_ slot: UnsafeMutablePointer<IdleSlot>, _ generation: UInt32) -> Bool {
        guard slot.pointee.generation.load(ordering: .relaxed) == generation else { return false }
        // An entry is there, so there is a tracker, which has a loop.
        let record = stamps(of: head(of: slot))._withUnsafeGuaranteedRef {
            $0.record.load(ordering: .relaxed).unsafelyUnwrapped
        }
        let turn = swivel__own_turn_time(record)
        guard turn != 0 else { return touchElsewhere(record, slot, generation) }
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
    static func remove(_ slot: UnsafeMutablePointer<IdleSlot>, _ generation: UInt32) -> Bool {
        let head = head(of: slot)
        let index = Int(head.pointee.next) * chunkCount + (slot - head)
        let owner = stamps(of: head).takeUnretainedValue().owner.withLock { $0 }
        return owner?.remove(index, generation) ?? false
    }
}

/// The part of an ``IdleTracker`` that knows its IDs.
protocol IdleOwner: AnyObject, Sendable {
    /// Forgets an entry. Returns whether it was there. **Thread:** any.
    func remove(_ index: Int, _ generation: UInt32) -> Bool
}
