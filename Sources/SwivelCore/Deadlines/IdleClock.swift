// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// Calculates when entries of an ``IdleTracker`` expire, and when it searches for them.
///
/// A stamp is the time of a turn. A touch comes after the beginning of its turn, by as long as the
/// closures before it took, and before the next turn begins. So the tracker notes turns: an entry
/// counts as touched at the first of these after its stamp, and is never early.
struct IdleClock {
    /// The usual number of turns noted until an entry expires.
    private static let ticks: UInt64 = 16
    /// The largest.
    private static let mostTicks: UInt64 = 1024
    /// The usual resolution is no finer than this, in nanoseconds.
    private static let finest: UInt64 = 1_000_000

    /// Time without a touch until an entry expires, in nanoseconds.
    let limit: UInt64
    /// Time between two noted turns, or two sweeps, in nanoseconds.
    let resolution: UInt64
    /// Whether a touch has the time of its turn: in virtual time, which stands still during it.
    private let isExact: Bool
    /// The turns noted, in their order.
    private var turns: [UInt64] = []
    /// When the tracker swept its entries last.
    private var swept: UInt64 = 0

    init(limit: UInt64, resolution: UInt64?, isExact: Bool) {
        self.limit = limit
        let usual = max(limit / Self.ticks, Self.finest)
        self.resolution = min(max(resolution ?? usual, limit / Self.mostTicks, 1), limit)
        self.isExact = isExact
    }

    /// Notes that this turn runs the tracker's timer. No stamp from `oldest` on needs the turns
    /// that this forgets. On a loop that ends (`isLast`) no other turn may be noted soon.
    mutating func note(_ turn: UInt64, oldest: UInt64, isLast: Bool) {
        guard !isExact else { return }
        turns.removeFirst(turns.firstIndex { $0 > oldest } ?? max(turns.count - 1, 0))
        let isNew = turns.last.map {
            turn >= swivel__saturating_add($0, resolution) || isLast && turn > $0
        }
        if isNew ?? true {
            turns.append(turn)
        }
    }

    /// Notes a sweep of all entries.
    mutating func sweep(at now: UInt64) { swept = now }

    /// Entries whose stamp is less than this have expired at `now`.
    func bound(at now: UInt64) -> UInt64 {
        guard now >= limit else { return 0 }
        return isExact ? now - limit + 1 : turns.last { $0 <= now - limit } ?? 0
    }

    /// Whether an entry with the oldest stamp has expired, and there was no sweep just before.
    func needsSweep(at now: UInt64, oldest: UInt64) -> Bool {
        oldest < bound(at: now) && (!isExact || now >= swivel__saturating_add(swept, resolution))
    }

    /// When the tracker's timer runs next: to note a turn, or for an entry. On a loop that ends
    /// only an entry counts.
    func next(at now: UInt64, oldest: UInt64, isLast: Bool) -> UInt64 {
        if isExact {
            return max(
                swivel__saturating_add(oldest, limit), swivel__saturating_add(swept, resolution))
        }
        let noted = swivel__saturating_add(turns.last ?? now, resolution)
        let end = turns.first { $0 > oldest }.map { swivel__saturating_add($0, limit) } ?? .max
        if isLast { return max(min(end, swivel__saturating_add(now, limit)), now) }
        return max(min(noted, end), now)
    }
}
