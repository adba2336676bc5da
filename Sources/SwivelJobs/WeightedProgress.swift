// SPDX-License-Identifier: Apache-2.0

/// The progress of several parts as one, by their weights.
///
/// The parts are the leaves of a binary tree whose nodes hold the sums of what is below them. Each
/// sum is recomputed from its two halves: nothing drifts, a part that grows never makes the whole
/// smaller, and finished parts add up to exactly their weights.
struct WeightedProgress {
    private let weights: [Double]
    private let total: Double
    /// The halves of node n are 2n and 2n + 1. The root is node 1, and the leaves come last.
    private var sums: [Double]

    /// - Parameter weights: At least one, from 0 up. If all are zero they count as equal.
    /// - Complexity: O(n).
    init(_ weights: [Double]) {
        let sum = Self.sums(of: weights)[1]
        self.weights = sum > 0 && sum.isFinite ? weights : weights.map { _ in 1 }
        total = sum > 0 && sum.isFinite ? sum : Double(weights.count)
        sums = Array(repeating: 0, count: weights.count * 2)
    }

    private static func sums(of leaves: [Double]) -> [Double] {
        var sums = Array(repeating: 0, count: leaves.count) + leaves
        for node in (1..<leaves.count).reversed() {
            sums[node] = sums[2 * node] + sums[2 * node + 1]
        }
        return sums
    }

    /// The whole, from 0 to 1.
    var fraction: Double { sums[1] / total }

    /// Part `index` has reached `fraction`.
    ///
    /// - Complexity: O(log n).
    mutating func report(_ fraction: Double, at index: Int) {
        var node = weights.count + index
        sums[node] = weights[index] * fraction
        while node > 1 {
            node /= 2
            sums[node] = sums[2 * node] + sums[2 * node + 1]
        }
    }

    /// Part `index` is done.
    mutating func finish(_ index: Int) {
        report(1, at: index)
    }
}
