// SPDX-License-Identifier: Apache-2.0

/// The progress of several parts as one, by their weights.
///
/// The parts are the leaves of a binary tree whose nodes hold the sums of what is below them. Each
/// sum is recomputed from its two halves, in O(log n): nothing drifts, a part that grows never makes
/// the whole smaller, and finished parts add up to exactly their weights.
struct WeightedProgress {
    private let weights: [Double]
    private let total: Double
    /// The halves of node n are 2n and 2n + 1. The root is node 1, and the leaves come last.
    private var sums: [Double]

    /// - Parameter weights: At least one, from 0 up. If all are zero they count as equal.
    init(_ weights: [Double]) {
        var sums = Array(repeating: 0, count: weights.count) + weights
        for node in (1..<weights.count).reversed() {
            sums[node] = sums[2 * node] + sums[2 * node + 1]
        }
        let isUsable = sums[1] > 0 && sums[1].isFinite
        self.weights = isUsable ? weights : weights.map { _ in 1 }
        total = isUsable ? sums[1] : Double(weights.count)
        self.sums = Array(repeating: 0, count: weights.count * 2)
    }

    /// The whole, from 0 to 1.
    var fraction: Double { sums[1] / total }

    /// Part `index` has reached `fraction`.
    mutating func report(_ fraction: Double, at index: Int) {
        var node = weights.count + index
        sums[node] = weights[index] * fraction
        while node > 1 {
            node /= 2
            sums[node] = sums[2 * node] + sums[2 * node + 1]
        }
    }
}
