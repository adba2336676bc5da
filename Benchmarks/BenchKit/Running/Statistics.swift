// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Figures that a few outliers cannot move.
package enum Statistics {
    /// The middle value; the mean of the two middle ones of an even number; NaN of nothing.
    package static func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

    /// The value below which the given share lies, interpolated between neighbours.
    package static func quantile(_ share: Double, of values: [Double]) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let position = share * Double(sorted.count - 1)
        let lower = sorted[Int(position)]
        let upper = sorted[min(Int(position) + 1, sorted.count - 1)]
        let fraction = position - position.rounded(.down)
        // Neither infinity less itself nor no part of it is a number.
        return lower == upper || fraction == 0 ? lower : lower + (upper - lower) * fraction
    }

    /// The interquartile range over the median: how far the rounds lie apart. 0 of a zero median
    /// or of values that are not finite.
    package static func spread(_ values: [Double]) -> Double {
        let middle = median(values)
        let range = quantile(0.75, of: values) - quantile(0.25, of: values)
        let relative = abs(range / middle)
        return relative.isFinite ? relative : 0
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
        guard value.isFinite, value != 0 else { return value }
        var scale = 1.0
        var magnitude = abs(value)
        while magnitude >= 10_000 {
            magnitude /= 10
            scale /= 10
        }
        while magnitude < 1_000 {
            magnitude *= 10
            scale *= 10
        }
        return (value * scale).rounded() / scale
    }
}
