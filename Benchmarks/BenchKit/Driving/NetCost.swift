// SPDX-License-Identifier: Apache-2.0

/// The cost of what every second block of turns has and its neighbours have not.
package enum NetCost {
    /// The part of the empty blocks' noise in a cost below it. It never speaks for Swivel: a rival that
    /// is given its noise looks slower than can be seen, and Swivel without its own looks faster.
    package enum Noise: Sendable {
        /// Swivel's: the cost is at least the noise.
        case isCharged
        /// A rival's: the cost is what is seen.
        case isIgnored
    }

    /// - Parameters:
    ///   - costs: of an empty block, one with the calls, an empty one, and so on; an empty one last.
    ///   - least: the least that is told of anybody.
    /// - Returns: the middle one of the blocks' costs less their neighbours', and where noise is
    ///   charged, at least half of what neighbouring empty blocks usually differ by.
    package static func of(_ costs: [Double], least: Double, noise: Noise) -> Double {
        let full = stride(from: 1, to: costs.count - 1, by: 2)
        let differences = full.map { costs[$0] - (costs[$0 - 1] + costs[$0 + 1]) / 2 }
        let variation = full.map { abs(costs[$0 + 1] - costs[$0 - 1]) / 2 }
        let floor = noise == .isCharged ? max(Statistics.median(variation), least) : least
        return max(Statistics.median(differences), floor)
    }
}
