// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Figures that a few outliers cannot move.
package enum Statistics {
    /// The middle value; the mean of the two middle ones of an even number; NaN of nothing.
    package static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let (lower, upper) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        return lower == upper ? lower : (lower + upper) / 2
    }

    /// The interval in which the median of what the values were drawn from lies with a confidence
    /// of 95 %: between two of the values, whatever their distribution (Conover, Practical
    /// Nonparametric Statistics, 3.2). Fewer than six values cannot tell so much; it is then from
    /// the smallest to the largest.
    package static func medianInterval(_ values: [Double]) -> ClosedRange<Double> {
        guard let smallest = values.min(), let largest = values.max() else { return 0...0 }
        let sorted = values.sorted()
        // The chance that the median lies below value number `rank` (from 0) is the chance of at
        // most `rank` heads of as many coins as there are values.
        var below = pow(0.5, Double(sorted.count))
        var term = below
        var rank = 0
        while below <= 0.025, 2 * (rank + 1) < sorted.count {
            rank += 1
            term *= Double(sorted.count - rank + 1) / Double(rank)
            below += term
        }
        if below > 0.025 { rank = max(0, rank - 1) }
        return rank == 0 ? smallest...largest : sorted[rank]...sorted[sorted.count - 1 - rank]
    }

    /// Four significant digits: more would be noise, and makes the files hard to read.
    package static func rounded(_ value: Double) -> Double {
        value.isFinite ? Double(String(format: "%.4g", value)) ?? value : value
    }
}
