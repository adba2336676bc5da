// SPDX-License-Identifier: Apache-2.0

internal import Histogram

/// How late timers were, counted from their scheduled instants, and how many were early.
package struct Lateness: Sendable {
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
    package private(set) var early = 0
    package private(set) var count = 0

    package init() {}

    package mutating func record(_ nanoseconds: Int64) {
        count += 1
        if nanoseconds < 0 { early += 1 }
        histogram.record(UInt64(max(0, nanoseconds)))
    }

    /// The time that the given percentage does not exceed.
    package func percentile(_ percentile: Double) -> Double {
        Double(histogram.valueAtPercentile(percentile))
    }

    /// The middle, the tail and the early ones as a measurement.
    package var measurement: Measurement {
        var measurement = Measurement()
        measurement[.p50] = percentile(50)
        measurement[.p99] = percentile(99)
        measurement[.early] = Double(early)
        measurement.percentiles = Sweep.percentiles.map { percentile($0) }
        return measurement
    }
}
