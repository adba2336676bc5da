// SPDX-License-Identifier: Apache-2.0

/// Holm's test (A Simple Sequentially Rejective Multiple Test Procedure, 1979): of many findings,
/// those that are sure beside all the others.
package enum Holm {
    /// Whether each finding is sure. If none is true, the chance that one is sure is `whole` at
    /// most.
    ///
    /// - Parameter chances: for each finding the chance that it is there though nothing is true.
    package static func sure(_ chances: [Double], within whole: Double) -> [Bool] {
        var sure = chances.map { _ in false }
        let order = chances.indices.sorted { chances[$0] < chances[$1] }
        for (rank, index) in order.enumerated() {
            guard chances[index] <= whole / Double(chances.count - rank) else { break }
            sure[index] = true
        }
        return sure
    }
}
