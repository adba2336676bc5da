// SPDX-License-Identifier: Apache-2.0
/// A report next to the budgets: every budget needs its row with enough rounds, and every row needs
/// asserted counts.
package struct BudgetCheck {
    /// The outcome of one budget, or the fault of one row.
    package enum Verdict: Equatable, Sendable {
        case held
        case missed
        case missingRow
        /// The rival did not take part, which the report says.
        case missingRival
        /// A quick run has no time for it.
        case leftOut
        case tooFewRounds(Int)
        case unasserted

        /// Whether the check as a whole fails because of it.
        package var fails: Bool { self != .held && isJudged }

        /// Whether there was anything to hold the budget against, or should have been.
        package var isJudged: Bool { self != .missingRival && self != .leftOut }

        package var text: String {
            switch self {
            case .held: "held"
            case .missed: "MISSED"
            case .missingRow: "NO ROW"
            case .missingRival: "rival missing"
            case .leftOut: "not in quick runs"
            case .tooFewRounds(let rounds): "ONLY \(rounds) ROUNDS"
            case .unasserted: "COUNTS NOT ASSERTED"
            }
        }
    }

    /// One line of the check.
    package struct Finding: Equatable, Sendable {
        package var key: String
        package var budget: Budget?
        package var figure: Double?
        package var verdict: Verdict
    }

    /// Budgets in their order, then rows of no budget whose counts were not asserted.
    package let findings: [Finding]

    package init(_ report: Report, against budgets: Budgets) {
        let asserted = Set(report.asserted)
        let keys = Set(budgets.budgets.map(\.key))
        let rows = Dictionary(report.rows.map { ($0.key, $0) }) { first, _ in first }
        findings =
            budgets.budgets.map { budget in
                Self.finding(for: budget, rows[budget.key], in: report, asserted)
            }
            + report.rows.filter { !asserted.contains($0.key) && !keys.contains($0.key) }.map {
                Finding(key: $0.key, verdict: .unasserted)
            }
    }

    package var failing: [Finding] { findings.filter(\.verdict.fails) }

    /// Whether there is nothing to hold.
    package var judgesNothing: Bool { findings.allSatisfy { !$0.verdict.isJudged } }

    /// The check in a sentence.
    package var summary: String {
        let judged = findings.count { $0.verdict.isJudged }
        let missed = failing.count { $0.verdict == .missed }
        if failing.isEmpty { return "All \(judged) gates hold." }
        let held = missed == 0 ? "All other gates hold" : "\(missed) of \(judged) gates do not hold"
        let others = failing.count - missed
        return held + (others == 0 ? "." : "; \(others) could not be judged.")
    }

    private static func finding(
        for budget: Budget, _ row: Row?, in report: Report, _ asserted: Set<String>
    ) -> Finding {
        guard let row else {
            return Finding(
                key: budget.key, budget: budget, verdict: absence(of: budget, in: report))
        }
        let figure = budget.figure(of: row)
        let isCount = Metric.named(row.metric)?.isCount ?? false
        let verdict: Verdict =
            if !asserted.contains(row.key) {
                .unasserted
            } else if row.rounds < (isCount ? RoundRunner.roundsOfCounts : RoundRunner.rounds) {
                .tooFewRounds(row.rounds)
            } else {
                budget.isReached(by: figure) ? .held : .missed
            }
        return Finding(key: budget.key, budget: budget, figure: figure, verdict: verdict)
    }

    /// The reason why a budget has no row.
    private static func absence(of budget: Budget, in report: Report) -> Verdict {
        if report.missing.contains(where: { $0.name == budget.rival }) { return .missingRival }
        let work = "\(budget.scenario) / \(budget.variant):"
        let hasFailed = report.failures.contains { $0.hasPrefix(work) }
        return report.quick && budget.notQuick == true && !hasFailed ? .leftOut : .missingRow
    }
}
