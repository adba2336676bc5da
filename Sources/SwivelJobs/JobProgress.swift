// SPDX-License-Identifier: Apache-2.0

/// How far a ``Job`` is.
public struct JobProgress: Sendable {
    /// From 0 to 1. A job clamps what is reported to that range.
    public var fraction: Double
    /// Anything else that a report carries, such as the name of a phase.
    public var userInfo: (any Sendable)?

    /// A report of `fraction`. `userInfo` goes with it, through composites too. **Thread:** any.
    /// - Complexity: O(1).
    public init(_ fraction: Double, userInfo: (any Sendable)? = nil) {
        self.fraction = fraction
        self.userInfo = userInfo
    }

    /// The reports that a listener gets if they come faster than it returns.
    public enum Buffering: Sendable {
        /// The latest: a report replaces one that is still pending.
        case latest
        /// All, in order. Pending reports are kept.
        case all
    }

    /// The same report, where 0 is `start` and 1 is `start + length`.
    func scaled(from start: Double, by length: Double) -> JobProgress {
        JobProgress(start + length * fraction, userInfo: userInfo)
    }
}

/// The progress of several parts as one, by their weights. The parts are the leaves of a binary
/// tree whose nodes hold the sums of what is below. Each sum is recomputed from its two halves, in
/// O(log n): nothing drifts, a part that grows never makes the whole smaller, and finished parts
/// add up to exactly their weights.
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
