// SPDX-License-Identifier: Apache-2.0

/// The progress of several parts as one, by their weights.
struct JobTally {
    private let weights: [Double]
    private let total: Double
    /// The weight of all parts that are done.
    private var done = 0.0
    private var missing: Int
    /// How far the parts are that are not done.
    private var partial: [Int: Double] = [:]

    /// - Parameter weights: From 0 up. If all are zero they count as equal.
    init(_ weights: [Double]) {
        let sum = weights.reduce(0, +)
        self.weights = sum > 0 && sum.isFinite ? weights : weights.map { _ in 1 }
        total = sum > 0 && sum.isFinite ? sum : Double(weights.count)
        missing = weights.count
    }

    /// The whole, from 0 to 1.
    var fraction: Double {
        missing == 0 ? 1 : (done + partial.reduce(0) { $0 + weights[$1.key] * $1.value }) / total
    }

    /// Part `index` is that far.
    mutating func report(_ fraction: Double, at index: Int) {
        partial[index] = fraction
    }

    /// Part `index` is done; called once for each.
    mutating func finish(_ index: Int) {
        partial[index] = nil
        done += weights[index]
        missing -= 1
    }
}
