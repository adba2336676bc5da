// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// The room of one entry of an ``IdleTracker``: a touch reads and writes one line of the cache, and
/// reads the chunk's head.
///
/// It has the offsets of both its parts, so that a touch calculates none.
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

    /// Ends an entry that was not touched since `stamp`. **Thread:** the loop's.
    func expire(since stamp: UInt64) -> Bool {
        self.stamp.pointee.compareExchange(
            expected: stamp, desired: Self.expired, ordering: .relaxed
        ).exchanged
    }
}
