// SPDX-License-Identifier: Apache-2.0
/// Two runs next to each other. Compared are Swivel's ratios to its rivals, which were measured in
/// the same minutes as Swivel: a slower machine slows both. For counts, Swivel's own figure decides.
package struct Comparison: Sendable {
    package enum Verdict: String, Sendable { case better, worse, same, unjudged }

    /// One measure of one contest, against all rivals that both runs have.
    package struct Change: Equatable, Sendable {
        package var work: String
        package var metric: String
        package var unit: String
        package var before: Double
        package var after: Double
        /// How many times better the second run's ratio is: the median of the rivals'.
        package var factor: Double
        package var verdict: Verdict
    }

    /// The least change of a ratio that counts.
    package static let threshold = 0.1
    /// Fewer rounds have no interval.
    package static let fewestRounds = 3

    package let changes: [Change]
    /// The contests that failed in the second run alone.
    package let broken: [String]

    package init(_ before: Report, _ after: Report) {
        let later = Dictionary(after.rows.map { ($0.key, $0) }) { first, _ in first }
        var order: [[String]] = []
        var groups: [[String]: [(Row, Row)]] = [:]
        for row in before.rows {
            guard let other = later[row.key] else { continue }
            let group = ["\(row.scenario), \(row.variant)", row.metric]
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append((row, other))
        }
        changes = order.compactMap { groups[$0].flatMap(Self.change) }
        var known = Set(before.failures.map { $0.prefix { $0 != ":" } })
        broken = after.failures.filter { known.insert($0.prefix { $0 != ":" }).inserted }
    }

    /// The changes with this verdict.
    package func judged(_ verdict: Verdict) -> [Change] { changes.filter { $0.verdict == verdict } }

    private static func change(_ pairs: [(before: Row, after: Row)]) -> Change? {
        guard let (before, after) = pairs.first else { return nil }
        let verdicts = pairs.map(verdict)
        // Swivel alone has changed if its ratio to every rival has, in the same direction.
        let isAgreed = verdicts.allSatisfy { $0 == verdicts[0] }
        return Change(
            work: "\(before.scenario), \(before.variant)", metric: before.metric,
            unit: before.unit, before: before.subjectMedian, after: after.subjectMedian,
            factor: Statistics.median(pairs.map(factor)), verdict: isAgreed ? verdicts[0] : .same)
    }

    private static func verdict(_ before: Row, _ after: Row) -> Verdict {
        if let metric = Metric.named(before.metric), metric.isCount {
            let difference = after.subjectMedian - before.subjectMedian
            // Half an operation's worth, or half a per cent; pages of the allocator's.
            let noise = metric == .left ? 8 : metric == .bytes ? before.subjectMedian / 10 : 0.5
            guard abs(difference) > noise else { return .same }
            return (difference > 0) == (metric.better == .lower) ? .worse : .better
        }
        guard min(before.ratios?.count ?? 0, after.ratios?.count ?? 0) >= fewestRounds else {
            return .unjudged
        }
        let (old, new) = (interval(before), interval(after))
        let factor = factor(before, after)
        if factor <= 1 - threshold, new.upperBound < old.lowerBound { return .worse }
        return factor >= 1 / (1 - threshold) && new.lowerBound > old.upperBound ? .better : .same
    }

    private static func interval(_ row: Row) -> ClosedRange<Double> {
        Statistics.medianInterval(row.ratios ?? [])
    }

    private static func factor(_ before: Row, _ after: Row) -> Double {
        let (old, new) = (before.ratio ?? .infinity, after.ratio ?? .infinity)
        return old == new ? 1 : new / old
    }
}
