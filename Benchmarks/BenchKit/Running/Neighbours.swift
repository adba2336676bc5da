// SPDX-License-Identifier: Apache-2.0

/// Work of others on the cores of this machine. Many cores run two threads at once, and the host of a
/// virtual machine may give one of them to somebody else. Swivel's paths, which keep all units of a
/// core busy, then take nearly twice as long; a rival that waits for memory takes as long as before.
/// No clock shows it, and neither does the time that the host has taken.
///
/// A measurement that begins or ends beside a neighbour is made again, whatever came out, as long as
/// there is patience left. Work of one thread has a core of its own, see `Cores.stay()`: what others
/// do on the other cores is nothing to it.
package final class Neighbours {
    /// The room of each core, see `Cores.room()`.
    private let room: () -> [Double]
    /// How long measurements may be put off, all of them together, and those of this contest.
    private var patience: UInt64, allowance: UInt64
    /// The most room that each core has had.
    private var most: [Double] = []
    /// How much of that each of them has had at the last look.
    private(set) var shares: [Double] = []
    /// Whether the last measurement was the work of one thread. The next one mostly is another side's
    /// at the same work.
    private var needsOneCore = false
    /// The measurements so far, and those that had a neighbour to the end.
    private var measurements = 0, disturbed = 0

    package init(patience nanoseconds: UInt64, room: @escaping () -> [Double] = Cores.room) {
        patience = nanoseconds
        allowance = nanoseconds
        self.room = room
        for _ in 0..<10 { look() }
    }

    /// The share of the measurements that a neighbour has disturbed, in percent.
    package var disturbedShare: Double {
        measurements == 0 ? 0 : 100 * Double(disturbed) / Double(measurements)
    }

    /// Begins a contest. It may use up an eighth of the patience that is left, so that those that come
    /// later have some, and its part of it if they are fewer.
    package func beginContest(left contests: Int) {
        allowance = patience / UInt64(min(max(contests, 1), 8))
    }

    /// Returns what `measure` returns, at a moment when no core is shared if there is one in time.
    ///
    /// - Parameter isRepeatable: whether it may be called several times.
    package func avoid<Value>(isRepeatable: Bool, _ measure: () throws -> Value) rethrows -> Value {
        measurements += 1
        var attempt = 1
        while true {
            waitUntilGone()
            Cores.choose(byShares: shares)
            let start = Clocks.wall()
            let value = try measure()
            look()
            let core = Cores.onlyOne
            needsOneCore = core != nil
            if !(core.map(isShared) ?? anyIsShared) { return value }
            let spent = Clocks.elapsed(from: start, to: Clocks.wall())
            if !isRepeatable || attempt == attempts || spent > allowance {
                disturbed += 1
                return value
            }
            spend(spent)
            attempt += 1
        }
    }

    private func waitUntilGone() {
        let start = Clocks.wall()
        let limit = min(allowance, longest)
        var waited: UInt64 = 0
        look()
        while needsOneCore ? allAreShared : anyIsShared, waited < limit {
            Clocks.pause(2_000_000)
            look()
            waited = Clocks.elapsed(from: start, to: Clocks.wall())
        }
        spend(waited)
    }

    private func spend(_ time: UInt64) {
        allowance -= min(allowance, time)
        patience -= min(patience, time)
    }

    /// Finds how much of its room each core has now.
    private func look() {
        let rooms = room()
        if most.isEmpty { most = rooms }
        for (core, room) in rooms.enumerated() { most[core] = max(most[core], room) }
        shares = zip(rooms, most).map { $1 > 0 ? $0 / $1 : 1 }
    }

    private func isShared(_ core: Int) -> Bool { shares[core] < 0.9 }
    private var anyIsShared: Bool { shares.indices.contains(where: isShared) }
    private var allAreShared: Bool { shares.indices.allSatisfy(isShared) }

    /// How often a measurement is made at most.
    private let attempts = 3
    /// The longest wait for one measurement, in nanoseconds.
    private let longest: UInt64 = 300_000_000
}
