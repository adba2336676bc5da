// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// The room of one entry of an ``IdleTracker``: a touch reads and writes one line of the cache.
@usableFromInline
struct IdleSlot: ~Copyable {
    /// When the entry was touched last, in nanoseconds.
    @usableFromInline let stamp: Atomic<UInt64>
    /// Odd: the slot has an entry, which knows the number.
    @usableFromInline let generation: Atomic<UInt32>
    /// The next free slot, under the table's lock.
    var next: UInt32

    /// A slot that no entry has used.
    init() {
        stamp = Atomic(0)
        generation = Atomic(0)
        next = 0
    }

    /// A slot of a chunk's head, with two words for it.
    init(head word: UInt, number: Int) {
        stamp = Atomic(UInt64(word))
        generation = Atomic(Self.worn)
        next = UInt32(number)
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
