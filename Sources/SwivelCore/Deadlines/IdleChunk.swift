// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
public import CSwivel.Internal
public import Synchronization

/// Slots of an ``IdleTracker``, side by side. The first two are its head, and never have an entry.
///
/// A chunk lies at a multiple of its size, so that a slot's address tells its chunk's. It lives as
/// long as the process.
@usableFromInline
struct IdleChunk {
    /// Slots of a chunk, its head's among them.
    static var count: Int { 1024 }
    /// In bytes.
    @inlinable static var size: UInt { 16_384 }

    /// The head's first stamp is the loop, with a mark in virtual time, and its number the chunk's;
    /// its second stamp is where the ``IdleStamps`` are.
    @usableFromInline let slots: UnsafeMutablePointer<IdleSlot>

    /// A chunk of slots that no entry has used.
    init(number: Int, of stamps: IdleStamps) {
        assert(Self.size == Self.count * MemoryLayout<IdleSlot>.stride)
        let room = UnsafeMutableRawPointer.allocate(
            byteCount: Int(Self.size), alignment: Int(Self.size))
        slots = room.bindMemory(to: IdleSlot.self, capacity: Self.count)
        let address = UInt(bitPattern: Unmanaged.passUnretained(stamps).toOpaque())
        slots.initialize(to: IdleSlot(head: stamps.loop, number: number))
        (slots + 1).initialize(to: IdleSlot(head: address, number: number))
        for place in 2..<Self.count { (slots + place).initialize(to: IdleSlot()) }
    }

    /// The chunk of a slot.
    @inlinable
    init(of slot: UnsafeMutablePointer<IdleSlot>) {
        let address = UInt(bitPattern: slot) & ~(Self.size &- 1)
        slots = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// The tracker's loop, for the head of a chunk. In virtual time it has a mark, and is no
    /// thread's own: a closure may move the time, so the beginning of its turn is no stamp.
    static func word(for loop: Loop) -> UInt {
        UInt(bitPattern: loop.record) | (loop.manual == nil ? 0 : virtual)
    }

    private static var virtual: UInt { 1 }

    /// Another tracker has the chunk. **Thread:** any; there are no entries.
    func setLoop(_ word: UInt) { slots.pointee.stamp.store(UInt64(word), ordering: .relaxed) }

    @inlinable var word: UInt { UInt(slots.pointee.stamp.load(ordering: .relaxed)) }

    /// The time at which the turn under way began, where it is a stamp: on the loop's own thread,
    /// in real time. Else 0.
    @inlinable
    var turnTime: UInt64 {
        swivel__own_turn_time(OpaquePointer(bitPattern: word).unsafelyUnwrapped)
    }

    /// The time now. **Thread:** any.
    var now: UInt64 {
        swivel_loop_now(OpaquePointer(bitPattern: word & ~Self.virtual).unsafelyUnwrapped)
    }

    /// The stamps of which the chunk is a part.
    var stamps: IdleStamps {
        let address = UInt((slots + 1).pointee.stamp.load(ordering: .relaxed))
        let pointer = UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
        return Unmanaged<IdleStamps>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The number of a slot among those of all chunks.
    func index(of slot: UnsafeMutablePointer<IdleSlot>) -> Int {
        Int(slots.pointee.next) * Self.count + (slot - slots)
    }
}
