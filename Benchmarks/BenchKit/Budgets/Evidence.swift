// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How surely the rounds of two runs differ, and how small a difference they would have shown.
struct Evidence: Sendable {
    /// Fewer rounds of a run hardly tell how far its rounds lie apart.
    static let fewestRounds = 3
    /// Ten rounds of both runs tell by their ranks alone that a change is sure among hundreds of
    /// rows: by chance all of one run are above or below all of the other once in 92,000 times. Of
    /// five rounds they are once in 126. Ranks do not mind a round that is far off.
    private static let roundsForRanks = 10
    /// Rounds that agree better than to a hundredth do so by chance, or because they are rounded.
    private static let leastVariance = 0.01 * 0.01

    /// Five rounds of each run lie apart by chance, all of one beyond all of the other, once in 126
    /// times.
    private static let roundsForSeparation = 5

    /// The chance that rounds of one and the same program lie this far apart.
    let chance: Double
    /// Whether all rounds of one run lie beyond all of the other.
    let isSeparate: Bool
    private let spread: Spread?

    /// `nil` if there are too few rounds.
    init?(_ before: [Double]?, _ after: [Double]?) {
        guard let before = before?.sorted(), let after = after?.sorted() else { return nil }
        let fewest = min(before.count, after.count)
        guard fewest >= Self.fewestRounds else { return nil }
        isSeparate =
            fewest >= Self.roundsForSeparation
            && (before[before.count - 1] < after[0] || after[after.count - 1] < before[0])
        spread = Spread(before, after)
        if let spread, fewest < Self.roundsForRanks {
            chance = StudentsT.chance(
                beyond: spread.difference / spread.error, degrees: spread.degrees)
        } else {
            chance = RankSum.chance(before, after)
        }
    }

    /// The least factor, above 1, between the runs that would have been as sure as this; `nil` if no
    /// factor tells.
    func leastFactor(within chance: Double) -> Double? {
        spread.map { exp(StudentsT.value(chance: chance, degrees: $0.degrees) * $0.error) }
    }

    /// How far two runs lie apart, in logarithms, and how well that is known.
    private struct Spread {
        let difference: Double
        /// The standard error of the difference.
        let error: Double
        /// Welch's degrees of freedom (1947), the fraction cut off.
        let degrees: Int

        /// `nil` if a round is zero on either side: a factor then has no logarithm.
        init?(_ before: [Double], _ after: [Double]) {
            guard (before + after).allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
            let first = Logarithms(before), second = Logarithms(after)
            let square = first.square + second.square
            let share = first.square * first.square / (first.count - 1)
            let rest = second.square * second.square / (second.count - 1)
            difference = second.mean - first.mean
            error = square.squareRoot()
            degrees = Int(square * square / (share + rest))
        }
    }

    /// The logarithms of one run's rounds: factors become differences.
    private struct Logarithms {
        let count: Double
        let mean: Double
        /// The square of the mean's standard error.
        let square: Double

        init(_ rounds: [Double]) {
            let logarithms = rounds.map { log($0) }
            let count = Double(rounds.count)
            let mean = logarithms.reduce(0, +) / count
            let squares = logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            self.count = count
            self.mean = mean
            square = max(squares / (count - 1), Evidence.leastVariance) / count
        }
    }
}
