// SPDX-License-Identifier: Apache-2.0

/// Holds a report against the budgets: every budget needs its row, and every row needs enough
/// rounds and asserted counts.
package struct BudgetCheck {
    /// The outcome of one budget, or the fault of one row.
    package enum Verdict: Equatable, Sendable {
        case aimReached
        case mustReached
        case missed
        case missingRow
        /// The rival did not take part, which the report says.
        case missingRival
        case tooFewRounds(Int)
        case unasserted

        /// Whether the check as a whole fails because of it.
        package var fails: Bool { ![.aimReached, .mustReached, .missingRival].contains(self) }

        package var text: String {
            switch self {
            case .aimReached: "aim"
            case .mustReached: "ok"
            case .missed: "MISSED"
            case .missingRow: "NO ROW"
            case .missingRival: "rival missing"
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

    /// Budgets in their order, then what is wrong with rows.
    package let findings: [Finding]

    package init(_ report: Report, against budgets: Budgets) {
        let asserted = Set(report.asserted)
        findings =
            budgets.budgets.map { budget in
                Self.finding(for: budget, in: report)
            }
            + report.rows.filter { $0.rounds < Budgets.fewestRounds }.map { row in
                Finding(key: row.key, verdict: .tooFewRounds(row.rounds))
            }
            + report.rows.filter { !asserted.contains($0.key) }.map { row in
                Finding(key: row.key, verdict: .unasserted)
            }
    }

    package var holds: Bool { !findings.contains { $0.verdict.fails } }

    private static func finding(for budget: Budget, in report: Report) -> Finding {
        guard let row = report.row(budget.key) else {
            let isAbsent = report.missing.contains { $0.name == budget.rival }
            return Finding(
                key: budget.key, budget: budget, verdict: isAbsent ? .missingRival : .missingRow)
        }
        let figure = budget.figure(of: row)
        let verdict: Verdict
        if !budget.isReached(budget.must, by: figure) {
            verdict = .missed
        } else if budget.isReached(budget.aim ?? budget.must, by: figure) {
            verdict = .aimReached
        } else {
            verdict = .mustReached
        }
        return Finding(key: budget.key, budget: budget, figure: figure, verdict: verdict)
    }
}
