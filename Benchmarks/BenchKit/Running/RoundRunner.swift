// SPDX-License-Identifier: Apache-2.0

/// Runs contests round by round and turns what came out into rows.
package struct RoundRunner {
    /// The outcome of a run.
    package struct Outcome: Sendable {
        package var rows: [Row] = []
        package var asserted: [String] = []
        /// Why Swivel is worse, by the keys of the rows in which it is.
        package var reasons: [String: String] = [:]
        /// Contests and rivals that have no rows, and why.
        package var failures: [String] = []
        /// The contests, as their failures begin, in which Swivel counted wrong.
        package var miscounted: Set<String> = []
        package var curves: [Curve] = []
        /// The share of the measurements beside which others used the same core, in percent.
        package var disturbed = 0.0

        /// Takes over the rows with these keys from another outcome of the same contests.
        package mutating func replace(_ keys: Set<String>, with other: Outcome) {
            let newer = other.rows.filter { keys.contains($0.key) }
            for row in newer {
                guard let index = rows.firstIndex(where: { $0.key == row.key }) else { continue }
                rows[index] = row
                reasons[row.key] = other.reasons[row.key]
                if !other.asserted.contains(row.key) { asserted.removeAll { $0 == row.key } }
            }
            failures += other.failures
        }
    }

    private let rounds: Rounds
    private let progress: ProgressLine
    private let neighbours: Neighbours

    package init(rounds: Rounds, progress: ProgressLine, neighbours: Neighbours) {
        self.rounds = rounds
        self.progress = progress
        self.neighbours = neighbours
    }

    /// Runs the contests, and then the sweeps.
    package func run(_ contests: [Contest], _ sweeps: [Sweep]) -> Outcome {
        progress.total =
            contests.reduce(0) { $0 + rounds.count(of: $1) * ($1.rivals.count + 1) }
            + sweeps.reduce(0) { $0 + $1.steps(rounds: rounds.curves) }
        var outcome = run(contests)
        for sweep in sweeps {
            let (curve, failures) = sweep.run(rounds: rounds.curves, progress: progress)
            outcome.curves.append(curve)
            outcome.failures += failures
        }
        outcome.disturbed = neighbours.disturbedShare
        progress.finish()
        return outcome
    }

    package func run(_ contests: [Contest]) -> Outcome {
        var parts = contests.map { _ in Outcome() }
        let order =
            contests.indices.filter { !contests[$0].leavesTimersBehind }
            + contests.indices.filter { contests[$0].leavesTimersBehind }
        for (number, index) in order.enumerated() {
            let contest = contests[index]
            do {
                try run(contest, number: number + 1, of: contests.count, into: &parts[index])
            } catch {
                parts[index].failures.append("\(contest.name): \(error)")
            }
        }
        progress.finish()
        // The rows come in the order of the catalogue, whatever ran first.
        return parts.reduce(into: Outcome()) { whole, part in
            whole.rows += part.rows
            whole.asserted += part.asserted
            whole.reasons.merge(part.reasons) { first, _ in first }
            whole.failures += part.failures
            whole.miscounted.formUnion(part.miscounted)
        }
    }

    private func run(
        _ contest: Contest, number: Int, of total: Int, into outcome: inout Outcome
    ) throws {
        let sides = [contest.subject] + contest.rivals
        var rounds = sides.map { _ in [Measurement]() }
        var failed: Set<Int> = []
        let count = self.rounds.count(of: contest)
        neighbours.beginContest(left: total - number + 1)
        for round in 0..<count {
            // Nobody is always first, and nobody always comes after the same neighbour.
            let order = round.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
            for index in order where !failed.contains(index) {
                let side = sides[index]
                progress.show(
                    "[\(number)/\(total)] \(contest.scenario) · \(contest.variant)",
                    "round \(round + 1) of \(count) · \(side.name)")
                // Work that the side before has left to other threads is not this one's.
                Settle.untilIdle()
                do {
                    rounds[index].append(try measure(side, in: contest))
                } catch {
                    // Without the subject there is nothing to compare with; a rival fails alone.
                    guard index > 0 else {
                        if error is CountMismatch { outcome.miscounted.insert(contest.name) }
                        throw BenchFailure("\(side.name): \(error)")
                    }
                    failed.insert(index)
                    outcome.failures.append("\(contest.name): \(side.name): \(error)")
                }
            }
        }
        for (index, rival) in contest.rivals.enumerated() where !failed.contains(index + 1) {
            try makeRows(contest, rival, rounds[0], rounds[index + 1], into: &outcome)
        }
    }

    private func makeRows(
        _ contest: Contest, _ rival: Side, _ ours: [Measurement], _ theirs: [Measurement],
        into outcome: inout Outcome
    ) throws {
        for metric in rival.metrics {
            let row = try makeRow(contest, rival, metric, ours, theirs)
            outcome.rows.append(row)
            if let ratio = row.ratio, ratio < 1 {
                outcome.reasons[row.key] = rival.reason ?? contest.reason
            }
            if (ours + theirs).allSatisfy({ $0.checks > 0 }) { outcome.asserted.append(row.key) }
        }
    }

    private func measure(_ side: Side, in contest: Contest) throws -> Measurement {
        // A count is the same beside whomever.
        guard contest.takesTime else { return try side.measure() }
        return try neighbours.avoid(
            isRepeatable: !contest.leavesTimersBehind, side.measure)
    }

    private func makeRow(
        _ contest: Contest, _ rival: Side, _ metric: Metric, _ ours: [Measurement],
        _ theirs: [Measurement]
    ) throws -> Row {
        let subjectValues = ours.compactMap { $0[metric] }
        let rivalValues = theirs.compactMap { $0[metric] }
        guard subjectValues.count == ours.count, rivalValues.count == theirs.count else {
            throw BenchFailure("\(rival.name): not every round measured \(metric.name)")
        }
        let ratios = zip(subjectValues, rivalValues).map { metric.ratio(subject: $0, rival: $1) }
        let figures = (metric.figure(of: subjectValues), metric.figure(of: rivalValues))
        let ratio = metric.ratio(of: ratios, subject: figures.0, rival: figures.1)
        let isFinite = ratio.isFinite
        let interval = Statistics.medianInterval(ratios)
        return Row(
            scenario: contest.scenario, variant: contest.variant, metric: metric.name,
            unit: metric.unit, subject: contest.subject.name, rival: rival.name,
            subjectMedian: Statistics.rounded(figures.0),
            rivalMedian: Statistics.rounded(figures.1),
            ratio: isFinite ? Statistics.rounded(ratio) : nil, rounds: ratios.count,
            spread: Statistics.rounded(Statistics.spread(isFinite ? ratios : subjectValues)),
            low: isFinite ? Statistics.rounded(interval.lowerBound) : nil,
            high: isFinite ? finite(interval.upperBound) : nil,
            ratios: ratios.map(Statistics.rounded))
    }

    /// JSON has no infinity: the end of a whisker that has none is not told.
    private func finite(_ value: Double) -> Double? {
        value.isFinite ? Statistics.rounded(value) : nil
    }
}
