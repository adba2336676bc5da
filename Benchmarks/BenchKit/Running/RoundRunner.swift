// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Runs contests round by round and makes rows of the measurements.
package struct RoundRunner {
    /// The outcome of a run.
    package struct Outcome: Sendable {
        package var rows: [Row] = []
        package var asserted: [String] = []
        /// Why Swivel is worse, by the keys of the rows in which it is.
        package var reasons: [String: String] = [:]
        /// Contests and rivals that have no rows, and why.
        package var failures: [String] = []
        /// The same of those for which the machine was too busy.
        package var unmeasured: [String] = []

        /// The report of a run that was made now, from the checkout in `root`.
        package func report(
            libuv: String, root: URL?, isQuick: Bool, missing: [Note], scenarios: [Note]
        ) -> Report {
            Report(
                machine: Surroundings.machine(libuv: libuv), commit: Surroundings.commit(in: root),
                date: Date().ISO8601Format(), quick: isQuick, asserted: asserted, rows: rows,
                reasons: reasons, missing: missing, failures: failures, unmeasured: unmeasured,
                scenarios: scenarios)
        }

        fileprivate mutating func note(_ error: any Error, of work: String) {
            let list = error is TooBusy ? \Self.unmeasured : \Self.failures
            self[keyPath: list].append("\(work): \(error)")
        }
    }

    /// Of a contest in which a time is measured.
    package static let rounds = 5
    /// Of one in which things are counted, which hardly differ between rounds.
    package static let roundsOfCounts = 3

    private let rounds: Int?
    private let progress: ProgressLine

    /// - Parameter rounds: how many rounds each contest gets; `nil` is the default.
    package init(rounds: Int?, progress: ProgressLine) {
        self.rounds = rounds
        self.progress = progress
    }

    /// Runs the contests, those that leave timers behind last; the rows come in the contests' order.
    package func run(_ contests: [Contest]) -> Outcome {
        var parts = contests.map { _ in Outcome() }
        let order =
            contests.indices.filter { !contests[$0].leavesTimersBehind }
            + contests.indices.filter { contests[$0].leavesTimersBehind }
        for (number, index) in order.enumerated() {
            let contest = contests[index]
            progress.show(
                "[\(number + 1)/\(contests.count)] \(contest.scenario) · \(contest.variant)")
            do {
                try run(contest, into: &parts[index])
            } catch {
                parts[index].note(error, of: contest.name)
            }
        }
        progress.finish()
        return parts.reduce(into: Outcome()) { whole, part in
            whole.rows += part.rows
            whole.asserted += part.asserted
            whole.reasons.merge(part.reasons) { first, _ in first }
            whole.failures += part.failures
            whole.unmeasured += part.unmeasured
        }
    }

    private func run(_ contest: Contest, into outcome: inout Outcome) throws {
        let sides = [contest.subject] + contest.rivals
        var measured = sides.map { _ in [Measurement]() }
        var failed: Set<Int> = []
        let count = rounds ?? (contest.isCounted ? Self.roundsOfCounts : Self.rounds)
        for round in 0..<count {
            // No side is always first, and none always follows the same neighbour.
            let order = round.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
            for index in order where !failed.contains(index) {
                // Work that the side before has left to other threads is not charged to this one.
                Settle.untilIdle()
                do {
                    measured[index].append(try sides[index].measure())
                } catch {
                    // Without the subject there is nothing to compare with; a rival fails alone.
                    outcome.note(error, of: "\(contest.name): \(sides[index].name)")
                    if index == 0 { return }
                    failed.insert(index)
                }
            }
        }
        for (index, rival) in contest.rivals.enumerated() where !failed.contains(index + 1) {
            for metric in rival.metrics {
                let row = try makeRow(contest, rival, metric, measured[0], measured[index + 1])
                outcome.rows.append(row)
                let reason = rival.reason ?? contest.reason
                if row.outcome == .worse { outcome.reasons[row.key] = reason }
                if (measured[0] + measured[index + 1]).allSatisfy({ $0.checks > 0 }) {
                    outcome.asserted.append(row.key)
                }
            }
        }
    }

    private func makeRow(
        _ contest: Contest, _ rival: Side, _ metric: Metric, _ ours: [Measurement],
        _ theirs: [Measurement]
    ) throws -> Row {
        let values = (ours.compactMap { $0[metric] }, theirs.compactMap { $0[metric] })
        guard values.0.count == ours.count, values.1.count == theirs.count else {
            throw BenchFailure("\(rival.name): not every round measured \(metric.name)")
        }
        let ratios = zip(values.0, values.1).map { metric.ratio(subject: $0, rival: $1) }
        let figures = (metric.figure(of: values.0), metric.figure(of: values.1))
        let ratio = Statistics.median(ratios)
        let interval = Statistics.medianInterval(ratios)
        func finite(_ value: Double) -> Double? {
            ratio.isFinite && value.isFinite ? Statistics.rounded(value) : nil
        }
        return Row(
            scenario: contest.scenario, variant: contest.variant, metric: metric.name,
            unit: metric.unit, subject: contest.subject.name, rival: rival.name,
            subjectMedian: Statistics.rounded(figures.0),
            rivalMedian: Statistics.rounded(figures.1), ratio: finite(ratio),
            rounds: ratios.count, low: finite(interval.lowerBound),
            high: finite(interval.upperBound), ratios: ratios.map(Statistics.rounded))
    }
}
