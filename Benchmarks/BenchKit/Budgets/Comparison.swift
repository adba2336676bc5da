// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Two runs beside each other. Compared are Swivel's ratios to its rivals, which were measured in the
/// same minutes as Swivel: a slower machine slows both.
package struct Comparison: Sendable {
    package enum Verdict: String, Sendable { case better, worse, same }

    /// One measure of one contest, against all rivals that both runs have.
    package struct Change: Equatable, Sendable {
        package var scenario: String
        package var variant: String
        package var metric: String
        /// How many times better the second run is; below 1 it is worse. `nil` from or to zero.
        package var factor: Double?
        package var before: Double
        package var after: Double
        package var unit: String
        package var verdict: Verdict
    }

    /// The least change of a ratio that counts.
    package static let threshold = 0.1

    package let changes: [Change]
    /// The keys of rows that only one of the runs has.
    package let unmatched: [String]

    package var worse: [Change] { changes.filter { $0.verdict == .worse } }

    package init(_ before: Report, _ after: Report) {
        let later = Dictionary(after.rows.map { ($0.key, $0) }) { first, _ in first }
        let keys = Set(before.rows.map(\.key))
        unmatched = (Array(keys.subtracting(later.keys)) + later.keys.filter { !keys.contains($0) })
            .sorted()
        var order: [[String]] = []
        var groups: [[String]: [(Row, Row)]] = [:]
        for row in before.rows {
            guard let other = later[row.key] else { continue }
            let group = [row.scenario, row.variant, row.metric]
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append((row, other))
        }
        changes = order.compactMap { groups[$0].map(Self.change) }
    }

    private static func change(_ pairs: [(before: Row, after: Row)]) -> Change {
        let (before, after) = pairs[0]
        let factors = pairs.compactMap { pair -> Double? in
            guard let old = pair.before.ratio, let new = pair.after.ratio, old > 0 else {
                return nil
            }
            return new / old
        }
        return Change(
            scenario: before.scenario, variant: before.variant, metric: before.metric,
            factor: factors.isEmpty ? nil : Statistics.median(factors),
            before: before.subjectMedian, after: after.subjectMedian, unit: before.unit,
            verdict: isCount(before.metric)
                ? verdict(ofCount: before, after) : verdict(of: pairs, factors))
    }

    /// Counts do not depend on the machine: Swivel's own figure decides.
    private static func isCount(_ metric: String) -> Bool {
        [Metric.allocations, .bytes, .left, .early, .drift, .sleeps].contains { $0.name == metric }
    }

    private static func verdict(ofCount before: Row, _ after: Row) -> Verdict {
        // Half an operation's worth; of bytes, a tenth. Fewer are noise.
        let allowed = before.metric == Metric.bytes.name ? before.subjectMedian * threshold : 0.5
        let difference = after.subjectMedian - before.subjectMedian
        return difference > allowed ? .worse : difference < -allowed ? .better : .same
    }

    /// Swivel alone has changed if its ratio to every rival has, and surely so to half of them.
    private static func verdict(
        of pairs: [(before: Row, after: Row)], _ factors: [Double]
    ) -> Verdict {
        guard factors.count == pairs.count else { return .same }
        let sure = pairs.map { before, after in
            Statistics.rankDifference(before.ratios ?? [], after.ratios ?? [])
        }
        let needed = (pairs.count + 1) / 2
        if factors.allSatisfy({ $0 < 1 - threshold }),
            sure.count(where: { $0 < -sureness }) >= needed
        {
            return .worse
        }
        if factors.allSatisfy({ $0 > 1 + threshold }),
            sure.count(where: { $0 > sureness }) >= needed
        {
            return .better
        }
        return .same
    }

    /// Of five rounds against five, at most one pair in 25 may be the other way round: by chance
    /// that is so in one comparison in fifty.
    private static let sureness = 2.3
}
