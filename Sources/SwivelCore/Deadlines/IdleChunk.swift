// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
public import CSwivel.Internal
public import Synchronization

/// Slots of an ``IdleTracker``, in lines of the cache: five to a line. The first line is the head.
///
/// | bytes | of the head | of another line |
/// |--:|---|---|
/// | 0 | the loop, with a mark in virtual time | five stamps of 8 bytes |
/// | 8 | the address of the ``IdleStamps`` | |
/// | 16 | the chunk's number | |
/// | 40 | | five generations of 4 bytes |
///
/// A slot of 16 bytes would take more with its ID than a connection may have, and a touch of stamps
/// and generations that lie apart would need two lines. A chunk lives as long as the process.
@usableFromInline
struct IdleChunk {
    /// Bytes of a line.
    static var line: Int { 64 }
    /// Slots of a line.
    static var slotsOfLine: Int { 5 }
    /// Lines of a chunk, without its head.
    static var lines: Int { 255 }
    /// Slots of a chunk.
    static var count: Int { lines * slotsOfLine }
    /// The offset of a line's generations.
    static var generations: Int { slotsOfLine * MemoryLayout<Atomic<UInt64>>.stride }
    @usableFromInline let head: UnsafeMutableRawPointer

    /// A chunk of slots that no entry has used.
    init(number: Int, of stamps: IdleStamps) {
        let size = (Self.lines + 1) * Self.line
        head = .allocate(byteCount: size, alignment: Self.line)
        // Zero is a stamp and a generation of no entry.
        head.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        setLoop(stamps.loop)
        let address = Unmanaged.passUnretained(stamps).toOpaque()
        head.storeBytes(of: address, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
        head.storeBytes(of: number, toByteOffset: 16, as: Int.self)
    }

    @inlinable
    init(head: UnsafeMutableRawPointer) { self.head = head }

    /// The tracker's loop, for the head of a chunk. In virtual time it has a mark, and is no
    /// thread's own: a closure may move the time, so the beginning of its turn is no stamp.
    static func word(for loop: Loop) -> UInt {
        UInt(bitPattern: loop.record) | (loop.manual == nil ? 0 : virtual)
    }

    private static var virtual: UInt { 1 }

    @inlinable var loop: UnsafeMutablePointer<Atomic<UInt64>> {
        head.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Another tracker has the chunk. **Thread:** any; there are no entries.
    func setLoop(_ word: UInt) { loop.pointee.store(UInt64(word), ordering: .relaxed) }

    @inlinable var word: UInt { UInt(loop.pointee.load(ordering: .relaxed)) }

    /// The time at which the present turn began, on the loop's own thread in real time. Else 0.
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
        let pointer = head.load(fromByteOffset: 8, as: UnsafeMutableRawPointer.self)
        return Unmanaged<IdleStamps>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The number of the chunk's first slot among those of all chunks.
    var first: Int { head.load(fromByteOffset: 16, as: Int.self) * Self.count }
}

/// The room of one entry of an ``IdleTracker``. A touch reads and writes one line of the cache,
/// reads the chunk's head, and calculates no offsets.
@usableFromInline
struct IdleSlot: @unchecked Sendable {
    // because what it points to is atomic, and is never freed.
    @usableFromInline let head: UnsafeMutableRawPointer
    /// Bytes from the head.
    @usableFromInline let stampOffset: UInt16
    @usableFromInline let generationOffset: UInt16

    /// A slot of a chunk, from 0.
    init(of chunk: IdleChunk, _ number: Int) {
        let (line, slot) = number.quotientAndRemainder(dividingBy: IdleChunk.slotsOfLine)
        let start = (line + 1) * IdleChunk.line
        head = chunk.head
        stampOffset = UInt16(start + slot * MemoryLayout<Atomic<UInt64>>.stride)
        generationOffset = UInt16(
            start + IdleChunk.generations + slot * MemoryLayout<Atomic<UInt32>>.stride)
    }

    @inlinable var chunk: IdleChunk { IdleChunk(head: head) }

    /// When the entry was touched last, in nanoseconds.
    @inlinable var stamp: UnsafeMutablePointer<Atomic<UInt64>> {
        (head + Int(stampOffset)).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Odd: the slot has an entry, whose handles have the number.
    @inlinable var generation: UnsafeMutablePointer<Atomic<UInt32>> {
        (head + Int(generationOffset)).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// The stamp of an entry that has expired.
    static var expired: UInt64 { .max }
    /// The generation of a slot that has no numbers left for entries.
    private static var worn: UInt32 { .max - 1 }

    /// The number of the slot among those of all chunks.
    var index: Int {
        let (line, offset) = Int(stampOffset).quotientAndRemainder(dividingBy: IdleChunk.line)
        return chunk.first + (line - 1) * IdleChunk.slotsOfLine
            + offset / MemoryLayout<Atomic<UInt64>>.stride
    }

    var number: UInt32 { generation.pointee.load(ordering: .relaxed) }

    var isLive: Bool { number % 2 == 1 }

    /// Whether an entry may have the slot.
    var isFree: Bool { number % 2 == 0 && number < Self.worn }

    /// Begins an entry, or ends it. Returns its number. **Thread:** under the table's lock, or the
    /// one that ends the table.
    @discardableResult
    func renumber() -> UInt32 {
        let next = number + 1
        generation.pointee.store(next, ordering: .releasing)
        return next
    }

    /// Makes the stamp at least `now`. Returns the stamp before. `max(_:ordering:)` is not used:
    /// Swift 6.3 compares its operands as signed numbers.
    func touch(at now: UInt64) -> UInt64 {
        var (isDone, found) = (false, stamp.pointee.load(ordering: .relaxed))
        while found < now, !isDone {
            (isDone, found) = stamp.pointee.weakCompareExchange(
                expected: found, desired: now, ordering: .relaxed)
        }
        return found
    }

    /// Ends an entry that was not touched since `stamp`. **Thread:** the loop's.
    func expire(since stamp: UInt64) -> Bool {
        self.stamp.pointee.compareExchange(
            expected: stamp, desired: Self.expired, ordering: .relaxed
        ).exchanged
    }
}
