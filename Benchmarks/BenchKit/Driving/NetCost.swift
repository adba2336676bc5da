// SPDX-License-Identifier: Apache-2.0

/// The cost of what every second block of turns has and its neighbours have not.
package enum NetCost {
    /// - Parameters:
    ///   - costs: of an empty block, one with the calls, an empty one, and so on; an empty one last.
    ///   - least: the least that is told.
    /// - Returns: the middle one of the blocks' costs less their neighbours', but at least half of
    ///   what neighbouring empty blocks usually differ by.
    package static func of(_ costs: [Double], least: Double) -> Double {
        let full = stride(from: 1, to: costs.count - 1, by: 2)
        let differences = full.map { costs[$0] - (costs[$0 - 1] + costs[$0 + 1]) / 2 }
        let variation = full.map { abs(costs[$0 + 1] - costs[$0 - 1]) / 2 }
        return max(Statistics.median(differences), Statistics.median(variation), least)
    }
}
