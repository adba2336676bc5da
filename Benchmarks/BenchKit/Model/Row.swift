// SPDX-License-Identifier: Apache-2.0

/// One line of the result: one metric of one contest against one rival.
package struct Row: Sendable, Equatable {
    package var scenario: String
    package var variant: String
    package var metric: String
    package var unit: String
    package var subject: String
    package var rival: String
    /// The median of the rounds; of early fires, ticks and drift the worst round.
    package var subjectMedian: Double
    package var rivalMedian: Double
    /// The median of the rounds' ratios; above 1 Swivel is better. `nil` when the subject wins
    /// by zero against something, so that no finite number says how much better it is.
    package var ratio: Double?
    package var rounds: Int
    /// The interquartile range of the rounds' ratios over their median; of the subject's values
    /// where there are no finite ratios.
    package var spread: Double
    /// Where the true median of the ratios lies with a confidence of 95 %, or, with fewer than six
    /// rounds, the smallest and the largest ratio. `nil` where the ratio is.
    package var low: Double?
    package var high: Double?
    /// The rounds' ratios in their order, for `compare`; infinite where the subject needed nothing.
    /// `nil` of files that do not have them.
    package var ratios: [Double]?

    package init(
        scenario: String, variant: String, metric: String, unit: String, subject: String,
        rival: String, subjectMedian: Double, rivalMedian: Double, ratio: Double?, rounds: Int,
        spread: Double, low: Double? = nil, high: Double? = nil,
        ratios: [Double]? = nil
    ) {
        self.ratios = ratios
        self.low = low
        self.high = high
        self.scenario = scenario
        self.variant = variant
        self.metric = metric
        self.unit = unit
        self.subject = subject
        self.rival = rival
        self.subjectMedian = subjectMedian
        self.rivalMedian = rivalMedian
        self.ratio = ratio
        self.rounds = rounds
        self.spread = spread
    }

    /// The name of the row in budgets and in the list of asserted rows.
    package var key: String { Row.key(scenario, variant, metric, rival) }

    package static func key(
        _ scenario: String, _ variant: String, _ metric: String, _ rival: String
    ) -> String {
        [scenario, variant, metric, rival].joined(separator: " / ")
    }
}

extension Row: Codable {
    private enum CodingKeys: String, CodingKey {
        case scenario, variant, metric, unit, subject, rival
        case subjectMedian, rivalMedian, ratio, rounds, spread, low, high, ratios
    }

    /// Written by hand so that a missing ratio is `null` and not a missing key.
    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: CodingKeys.self)
        try row.encode(scenario, forKey: .scenario)
        try row.encode(variant, forKey: .variant)
        try row.encode(metric, forKey: .metric)
        try row.encode(unit, forKey: .unit)
        try row.encode(subject, forKey: .subject)
        try row.encode(rival, forKey: .rival)
        try row.encode(subjectMedian, forKey: .subjectMedian)
        try row.encode(rivalMedian, forKey: .rivalMedian)
        try row.encode(ratio, forKey: .ratio)
        try row.encode(rounds, forKey: .rounds)
        try row.encode(spread, forKey: .spread)
        try row.encodeIfPresent(low, forKey: .low)
        try row.encodeIfPresent(high, forKey: .high)
        try row.encodeIfPresent(ratios, forKey: .ratios)
    }
}
