// SPDX-License-Identifier: Apache-2.0

/// One measure of one contest in two runs, against all rivals that both runs have.
struct ComparedGroup {
    typealias Pair = (before: Row, after: Row)

    /// At least one.
    let pairs: [Pair]
    /// The metric where it is a count.
    private let count: Metric?
    /// The evidence of the rounds, for those rivals whose rounds give some.
    private let told: [(factor: Double, evidence: Evidence)]

    init(_ pairs: [Pair]) {
        self.pairs = pairs
        count = Metric.named(pairs[0].before.metric).flatMap { $0.isCount ? $0 : nil }
        told = pairs.compactMap { pair in
            Evidence(pair.before.ratios, pair.after.ratios).map {
                (factor: Self.factor(pair), evidence: $0)
            }
        }
    }

    /// The chance that half of the rivals or more have rounds this far apart by chance, whatever
    /// these have in common (Rüger, Metrika 25, 1978). `nil` of a count, and if no rounds tell.
    var chance: Double? {
        guard count == nil, !told.isEmpty else { return nil }
        let chances = told.map(\.evidence.chance).sorted()
        let half = (chances.count + 1) / 2
        return min(1, chances[half - 1] * Double(chances.count) / Double(half))
    }

    /// - Parameters:
    ///   - isSure: whether the rounds tell surely that something has changed.
    ///   - doubt: the chance of a change that is not there, for one of the groups compared.
    func change(isSure: Bool, doubt: Double) -> Comparison.Change {
        let (before, after) = pairs[0]
        let factor = Statistics.median(pairs.map(Self.factor))
        let leastShown = told.compactMap { $0.evidence.leastFactor(within: doubt) }.min()
        return Comparison.Change(
            scenario: before.scenario, variant: before.variant, metric: before.metric,
            factor: factor > 0 && factor.isFinite ? factor : nil,
            before: before.subjectMedian, after: after.subjectMedian, unit: before.unit,
            verdict: count.map { Self.verdict(of: $0, before, after) } ?? verdict(isSure: isSure),
            leastShown: count == nil ? leastShown : nil)
    }

    /// Swivel alone has changed if its ratio to every rival has, and the same way.
    private func verdict(isSure: Bool) -> Comparison.Verdict {
        guard !told.isEmpty else { return .unjudged }
        guard !isNoise, isSure || isBlatant else { return .same }
        if told.allSatisfy({ $0.factor < 1 - Comparison.threshold }) { return .worse }
        return told.allSatisfy { $0.factor > 1 + Comparison.threshold } ? .better : .same
    }

    /// Whether Swivel's own figure and its ratio to every rival have doubled or halved, with no round
    /// in between: where rounds vary by orders of magnitude, nothing else shows a change so great.
    private var isBlatant: Bool {
        let factors = told.map(\.factor) + [own]
        return told.allSatisfy(\.evidence.isSeparate)
            && (factors.allSatisfy { $0 >= 2 } || factors.allSatisfy { $0 <= 0.5 })
    }

    /// How many times better Swivel's own figure is in the second run.
    private var own: Double {
        let (before, after) = pairs[0]
        return Metric.named(before.metric)?.ratio(
            subject: after.subjectMedian, rival: before.subjectMedian) ?? 1
    }

    /// Whether Swivel's own figure has hardly changed, though its ratios have: of figures that may
    /// be zero, the ratios tell little.
    private var isNoise: Bool {
        let (before, after) = pairs[0]
        guard let metric = Metric.named(before.metric), !metric.isTime else { return false }
        let difference = abs(after.subjectMedian - before.subjectMedian)
        return difference <= metric.noise(beside: before.subjectMedian)
    }

    private static func verdict(
        of metric: Metric, _ before: Row, _ after: Row
    ) -> Comparison.Verdict {
        let difference = after.subjectMedian - before.subjectMedian
        guard abs(difference) > metric.noise(beside: before.subjectMedian) else { return .same }
        return difference > 0 ? .worse : .better
    }

    /// How many times better the second run's ratio is.
    private static func factor(_ pair: Pair) -> Double {
        let (old, new) = (pair.before.ratio ?? .infinity, pair.after.ratio ?? .infinity)
        return old == new ? 1 : new / old
    }
}
