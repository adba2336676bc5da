// SPDX-License-Identifier: Apache-2.0

/// Holds a report against the budgets: every budget needs its row with enough rounds, and every row
/// needs asserted counts.
package struct BudgetCheck {
    /// The outcome of one budget, or the fault of one row.
    package enum Verdict: Equatable, Sendable {
        case aimReached
        case mustReached
        case missed
        case missingRow
        /// The rival did not take part, which the report says.
        case missingRival
        /// A quick run has no time for it.
        case leftOut
        /// The machine does not tell its instructions.
        case uncounted
        case tooFewRounds(Int)
        case unasserted

        /// Whether the check as a whole fails because of it.
        package var fails: Bool { ![.aimReached, .mustReached].contains(self) && isJudged }

        /// Whether there was anything to hold the budget against, or should have been.
        package var isJudged: Bool { ![.missingRival, .leftOut, .uncounted].contains(self) }

        package var text: String {
            switch self {
            case .aimReached: "aim"
            case .mustReached: "ok"
            case .missed: "MISSED"
            case .missingRow: "NO ROW"
            case .missingRival: "rival missing"
            case .leftOut: "not in quick runs"
            case .uncounted: "not counted here"
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
        findings =
            budgets.budgets.map { budget in
                Self.finding(for: budget, in: report, asserted)
            }
            + report.rows.filter { !asserted.contains($0.key) && !keys.contains($0.key) }.map {
                Finding(key: $0.key, verdict: .unasserted)
            }
    }

    package var holds: Bool { !findings.contains { $0.verdict.fails } }

    /// Whether no budget's rival took part, so that there is nothing to hold.
    package var judgesNothing: Bool { findings.allSatisfy { !$0.verdict.isJudged } }

    /// How many aims are reached, and how many there are. A budget need not have one; those whose
    /// rival did not take part do not count.
    package var aims: (reached: Int, all: Int) {
        let aiming = findings.filter { $0.budget?.aim != nil && $0.verdict.isJudged }
        return (aiming.count { $0.verdict == .aimReached }, aiming.count)
    }

    /// The check in a sentence.
    package var summary: String {
        let judged = findings.count { $0.verdict.isJudged }
        let failing = findings.count { $0.verdict.fails }
        let held =
            holds ? "All \(judged) budgets hold" : "\(failing) of \(judged) do not hold"
        return "\(held); \(aims.reached) of \(aims.all) aims are reached."
    }

    private static func finding(
        for budget: Budget, in report: Report, _ asserted: Set<String>
    ) -> Finding {
        guard let row = report.row(budget.key) else {
            return Finding(
                key: budget.key, budget: budget, verdict: absence(of: budget, in: report))
        }
        if let fault = fault(of: row, asserted) {
            return Finding(key: budget.key, budget: budget, verdict: fault)
        }
        let figure = budget.figure(of: row)
        return Finding(
            key: budget.key, budget: budget, figure: figure, verdict: verdict(budget, figure))
    }

    /// The reason why a budget has no row.
    private static func absence(of budget: Budget, in report: Report) -> Verdict {
        if report.missing.contains(where: { $0.name == budget.rival }) { return .missingRival }
        let isOfInstructions = budget.metric == Metric.instructions.name
        if isOfInstructions && report.check?.countsInstructions != true { return .uncounted }
        let work = "\(budget.scenario) / \(budget.variant):"
        let hasFailed = report.failures.contains { $0.hasPrefix(work) }
        return report.quick && budget.notQuick == true && !hasFailed ? .leftOut : .missingRow
    }

    /// The reason why nothing can be said of a row, if there is one.
    private static func fault(of row: Row, _ asserted: Set<String>) -> Verdict? {
        guard asserted.contains(row.key) else { return .unasserted }
        let isCount = Metric.named(row.metric)?.isCount ?? false
        let fewest = isCount ? Budgets.fewestRoundsOfCounts : Budgets.fewestRounds
        return row.rounds < fewest ? .tooFewRounds(row.rounds) : nil
    }

    private static func verdict(_ budget: Budget, _ figure: Double) -> Verdict {
        guard budget.isReached(budget.must, by: figure) else { return .missed }
        let reachesAim = budget.aim.map { budget.isReached($0, by: figure) } ?? false
        return reachesAim ? .aimReached : .mustReached
    }
}
