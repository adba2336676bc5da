// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A logarithmic scale over whole powers of ten, from 0 at its start to 1 at its end.
struct LogScale: Equatable {
    let first: Int
    let last: Int

    /// The smallest scale that holds all of these values; those that no logarithm has do not count.
    init(holding values: [Double], atLeast decades: Int = 1) {
        let logarithms = values.filter { $0 > 0 && $0.isFinite }.map { log10($0) }
        // A value that is a power of ten may come out a little beside it.
        let low = Int(((logarithms.min() ?? 0) + 1e-9).rounded(.down))
        let high = Int(((logarithms.max() ?? 0) - 1e-9).rounded(.up))
        first = low
        last = max(high, low + decades)
    }

    private init(first: Int, last: Int) {
        self.first = first
        self.last = last
    }

    /// A scale of ratios that has equality in its middle, so that wins and losses look alike. It
    /// ends at a thousand times: a few ratios beyond would make all others too short to be seen.
    static func both(holding ratios: [Double]) -> LogScale {
        let all = LogScale(holding: ratios + [1])
        let decades = min(max(-all.first, all.last, 1), 3)
        return LogScale(first: -decades, last: decades)
    }

    /// The place of a value. One beyond the scale is at its end.
    func place(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        let power = value.isFinite ? log10(value) : Double(last)
        return min(max((power - Double(first)) / Double(last - first), 0), 1)
    }

    /// Whether a value is too small or too large for it.
    func isBeyond(_ value: Double) -> Bool {
        guard value > 0, value.isFinite else { return true }
        let power = log10(value)
        return power < Double(first) - 1e-9 || power > Double(last) + 1e-9
    }

    /// The largest value that it holds.
    var highest: Double { pow(10, Double(last)) }

    /// The share of its length that a power of ten takes, for a style sheet.
    var step: String { String(format: "%.3f%%", 100 / Double(last - first)) }

    /// The powers of ten, at most this many of them.
    func ticks(atMost count: Int) -> [Double] {
        let step = max(1, Int((Double(last - first) / Double(max(1, count - 1))).rounded(.up)))
        return stride(from: first, through: last, by: step).map { pow(10, Double($0)) }
    }
}
