// SPDX-License-Identifier: Apache-2.0

/// Work of others on the cores of this machine. Many cores run two threads at once, and the host of a
/// virtual machine may give one of them to somebody else. Swivel's paths, which keep all units of a
/// core busy, then take nearly twice as long; a rival that waits for memory takes as long as before.
/// No clock shows it, and neither does the time that the host has taken.
///
/// A measurement that begins or ends beside a neighbour is made again, whatever came out, as long as
/// there is patience left.
package final class Neighbours {
    /// The room of each core, see `Cores.room()`.
    private let room: () -> [Double]
    /// How long measurements may be put off, all of them together.
    private var patience: UInt64
    /// The most room that each core has had.
    private var most: [Double] = []
    /// How much of that each of them has had at the last look.
    private(set) var shares: [Double] = []
    /// The measurements so far, and those that had a neighbour to the end.
    private var measurements = 0, disturbed = 0

    package init(patience nanoseconds: UInt64, room: @escaping () -> [Double] = Cores.room) {
        self.patience = nanoseconds
        self.room = room
        for _ in 0..<10 { _ = areThere() }
    }

    /// The share of the measurements that a neighbour has disturbed, in percent.
    package var share: Double {
        measurements == 0 ? 0 : 100 * Double(disturbed) / Double(measurements)
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
            if !areThere() { return value }
            let spent = Clocks.elapsed(from: start, to: Clocks.wall())
            if !isRepeatable || attempt == attempts || spent > patience {
                disturbed += 1
                return value
            }
            patience -= spent
            attempt += 1
        }
    }

    private func waitUntilGone() {
        let start = Clocks.wall()
        let limit = min(patience, longest)
        var waited: UInt64 = 0
        while areThere(), waited < limit {
            Clocks.pause(2_000_000)
            waited = Clocks.elapsed(from: start, to: Clocks.wall())
        }
        patience -= min(patience, waited)
    }

    /// Whether a core is shared now.
    private func areThere() -> Bool {
        let rooms = room()
        if most.isEmpty { most = rooms }
        for (core, room) in rooms.enumerated() { most[core] = max(most[core], room) }
        shares = zip(rooms, most).map { $1 > 0 ? $0 / $1 : 1 }
        return shares.contains { $0 < 0.9 }
    }

    /// How often a measurement is made at most.
    private let attempts = 3
    /// The longest wait for one measurement, in nanoseconds.
    private let longest: UInt64 = 300_000_000
}
