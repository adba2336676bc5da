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

    package enum Outcome: String, Sendable { case better, equal, worse }

    /// Swivel's place next to the rival, by the printed figures.
    package var outcome: Outcome {
        guard let ratio, ratio > 0 else {
            // One side needs nothing, so that the difference decides.
            let saved = rivalMedian - subjectMedian
            if saved == 0 { return .equal }
            return (saved > 0) == (Metric.named(metric)?.better != .higher) ? .better : .worse
        }
        if Figures.short(max(ratio, 1 / ratio)) == "1" { return .equal }
        return ratio > 1 ? .better : .worse
    }

    /// The ratio if both sides need something.
    package var finiteRatio: Double? { ratio.flatMap { $0 > 0 ? $0 : nil } }
}
