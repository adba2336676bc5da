// SPDX-License-Identifier: Apache-2.0

/// The part of an ``IdleTracker`` that its entries reach without a lock or a reference count: when
/// each was touched last.
///
/// It lives as long as the process, so that an entry is two words which may be copied and kept.
/// Another tracker uses it again, chunks and all; the generations distinguish the entries of both.
final class IdleStamps: @unchecked Sendable {
    // because slots are atomic, and the rest is under the lock of the tracker that uses them.

    private static let unused = Lock<[IdleStamps]>.ofProcess { _ in [] }
    /// The loop of the tracker that uses them; see ``IdleChunk/word(for:)``.
    private(set) var loop: UInt = 0
    /// The tracker's part that has its IDs; `nil`: the tracker is gone.
    let owner = Lock<(any IdleOwner)?>(nil)
    private(set) var chunks: [IdleChunk] = []

    private init() {}

    /// Stamps of no entry.
    static func take() -> IdleStamps {
        if let used = unused.withLock({ $0.popLast() }) { return used }
        let stamps = IdleStamps()
        _ = Unmanaged.passRetained(stamps)
        return stamps
    }

    func begin(_ owner: any IdleOwner, on loop: Loop) {
        self.loop = IdleChunk.word(for: loop)
        chunks.forEach { $0.setLoop(self.loop) }
        self.owner.withLock { $0 = owner }
    }

    /// The tracker is gone, and has ended its entries.
    func end() {
        // Released outside of the lock.
        _ = owner.withLock { $0.take() }
        Self.unused.withLock { $0.append(self) }
    }

    /// Adds a chunk. **Thread:** under the table's lock.
    func addChunk() { chunks.append(IdleChunk(number: chunks.count, of: self)) }

    /// **Thread:** under the table's lock, or the thread that ends the table.
    func slot(_ index: Int) -> IdleSlot {
        let (chunk, number) = index.quotientAndRemainder(dividingBy: IdleChunk.count)
        return IdleSlot(of: chunks[chunk], number)
    }
}

/// The part of an ``IdleTracker`` that has its IDs.
protocol IdleOwner: AnyObject, Sendable {
    /// Forgets an entry. Returns whether it was there. **Thread:** any.
    func remove(_ index: Int, _ generation: UInt32) -> Bool
}
