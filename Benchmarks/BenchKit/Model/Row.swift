// SPDX-License-Identifier: Apache-2.0
/// One line of the result: one metric of one contest against one rival.
package struct Row: Sendable, Equatable, Codable {
    package var scenario: String
    package var variant: String
    package var metric: String
    package var unit: String
    package var subject: String
    package var rival: String
    /// The median of the rounds; of early fires, ticks and drift the worst round.
    package var subjectMedian: Double
    package var rivalMedian: Double
    /// The median of the rounds' ratios; above 1 Swivel is better. `null` if Swivel needed nothing and
    /// the rival something.
    package var ratio: Double?
    package var rounds: Int
    /// The interquartile range of the rounds' ratios over their median.
    package var spread: Double
    /// The interval that holds the median of the ratios with a confidence of 95 %, or, with fewer than
    /// six rounds, the smallest and the largest ratio.
    package var low: Double?
    package var high: Double?
    /// The rounds' ratios in their order, for `compare`.
    package var ratios: [Double]?

    /// The name of the row in budgets and in the list of asserted rows.
    package var key: String { Row.key(scenario, variant, metric, rival) }

    package static func key(
        _ scenario: String, _ variant: String, _ metric: String, _ rival: String
    ) -> String {
        [scenario, variant, metric, rival].joined(separator: " / ")
    }

    /// Whether Swivel is worse, or better, by more than the printed figures hide.
    package var isLoss: Bool { Figures.ratio(ratio).hasSuffix("worse") }
    package var isWin: Bool { Figures.ratio(ratio).hasSuffix("better") }
}
