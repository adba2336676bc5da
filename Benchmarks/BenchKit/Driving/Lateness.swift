// SPDX-License-Identifier: Apache-2.0
/// How late timers were, counted from their scheduled instants, and how many were early.
package struct Lateness: Sendable {
    private var times: [Int64] = []
    package private(set) var early = 0
    package var count: Int { times.count }

    package init() { times.reserveCapacity(16_384) }

    package mutating func record(_ nanoseconds: Int64) {
        if nanoseconds < 0 { early += 1 }
        times.append(max(0, nanoseconds))
    }

    /// The median, the tail and the number of early ones as a measurement.
    package var measurement: Measurement {
        let sorted = times.sorted()
        // The least time that this share of all does not exceed.
        func percentile(_ share: Double) -> Double {
            let rank = Int((share * Double(sorted.count)).rounded(.up))
            return sorted.isEmpty ? 0 : Double(sorted[max(0, rank - 1)])
        }
        var measurement = Measurement()
        measurement[.p50] = percentile(0.5)
        measurement[.p90] = percentile(0.9)
        measurement[.p99] = percentile(0.99)
        measurement[.early] = Double(early)
        return measurement
    }
}
