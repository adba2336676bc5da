// SPDX-License-Identifier: Apache-2.0

/// Two runs beside each other. Compared are Swivel's ratios to its rivals, which were measured in
/// the same minutes as Swivel: a slower machine slows both. Of counts, Swivel's own figure decides.
package struct Comparison: Sendable {
    package enum Verdict: String, Sendable { case better, worse, same, unjudged }

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
        /// The least factor, above 1, that the rounds would have shown; `nil` of a count, and of
        /// what cannot be judged.
        package var leastShown: Double?
    }

    /// The least change of a ratio that counts.
    package static let threshold = 0.1

    /// The chance that a comparison of a program with itself finds any change of a time at all.
    package static let doubt = 0.02

    package let changes: [Change]
    /// The keys of rows that only one of the runs has.
    package let unmatched: [String]
    /// The failures of contests that failed in the second run alone, one for each contest.
    package let broken: [String]

    package init(_ before: Report, _ after: Report) {
        let later = Dictionary(after.rows.map { ($0.key, $0) }) { first, _ in first }
        let keys = Set(before.rows.map(\.key))
        unmatched = (Array(keys.subtracting(later.keys)) + later.keys.filter { !keys.contains($0) })
            .sorted()
        var known = Set(before.failures.map(Self.contest))
        broken = after.failures.filter { known.insert(Self.contest($0)).inserted }
        changes = Self.judge(Self.groups(before.rows, later))
    }

    package var worse: [Change] { judged(.worse) }

    /// The changes with this verdict.
    package func judged(_ verdict: Verdict) -> [Change] {
        changes.filter { $0.verdict == verdict }
    }

    /// The contest that a failure is about, whatever was counted there.
    private static func contest(_ failure: String) -> Substring { failure.prefix { $0 != ":" } }

    private static func groups(_ rows: [Row], _ later: [String: Row]) -> [ComparedGroup] {
        var order: [[String]] = []
        var groups: [[String]: [ComparedGroup.Pair]] = [:]
        for row in rows {
            guard let other = later[row.key] else { continue }
            let group = [row.scenario, row.variant, row.metric]
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append((row, other))
        }
        return order.compactMap { groups[$0].map { ComparedGroup($0) } }
    }

    /// Hundreds of groups are judged, and a verdict has to be sure beside all of them.
    private static func judge(_ groups: [ComparedGroup]) -> [Change] {
        let judged = groups.indices.filter { groups[$0].chance != nil }
        let sure = zip(judged, Holm.sure(judged.compactMap { groups[$0].chance }, within: doubt))
        let found = Set(sure.filter { $0.1 }.map { $0.0 })
        return groups.indices.map { index in
            groups[index].change(
                isSure: found.contains(index), doubt: doubt / Double(max(1, judged.count)))
        }
    }
}
