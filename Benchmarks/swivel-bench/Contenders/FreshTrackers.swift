// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Swivel
internal import Synchronization

/// Trackers that have memory of their own. One that ends leaves its chunks to the next, which would
/// then seem to need nothing; those that are measured never end.
enum FreshTrackers {
    private static let ended = Atomic(0)
    private static let lasting = Mutex<[IdleTracker<Int>]>([])
    /// The loop of all of them. A tracker's timer is armed for as long as there is the tracker, and
    /// a loop that a scenario closes has to have none left.
    private static let loop = Result { try Loop() }

    /// Another part of the lab has ended a tracker.
    static func noteEnd() { ended.add(1, ordering: .relaxed) }

    /// A tracker that finds no chunks of others: those that were left have got an owner.
    static func make() throws -> IdleTracker<Int> {
        let loop = try loop.get()
        let left = ended.exchange(0, ordering: .relaxed)
        let made = (0...left).map { _ in
            IdleTracker<Int>(on: loop, after: .seconds(600)) { _ in }
        }
        return lasting.withLock { lasting in
            lasting += made
            return made[left]
        }
    }

    /// The memory of one with this many entries. Throws if it is less than the entries can take, and
    /// again: then the tracker had chunks of others. Once may be memory that somebody gave back
    /// meanwhile.
    static func memory(_ count: Int) throws -> Measurement {
        // The ID, and the time of the last touch.
        let least = MemoryLayout<Int>.size + MemoryLayout<UInt64>.size
        for _ in 0..<2 {
            let measurement = try read(count)
            if let bytes = measurement[.bytes], bytes >= Double(least) { return measurement }
        }
        throw BenchFailure("an entry takes at least \(least) B: the tracker had others' chunks")
    }

    private static func read(_ count: Int) throws -> Measurement {
        let idle = try make()
        let entries = Kept<IdleEntry>(count)
        return try MemoryReading.ofTimers(count) {
            MemoryReading.Steps(
                arm: {
                    for id in 0..<count { entries.append(idle.add(id)) }
                    return entries.count
                },
                cancel: {
                    var removed = 0
                    entries.forEach { removed += $0.remove() ? 1 : 0 }
                    return removed
                }, close: { entries.removeAll() })
        }
    }
}
