// SPDX-License-Identifier: Apache-2.0

internal import TextTable

/// Results as text for a terminal.
package enum Tables {
    /// Every row of a report, one table for each scenario, the losing ones too.
    ///
    /// Reasons why Swivel is worse are numbers in the table, and a line for each below them all.
    ///
    /// - Parameter width: columns of the terminal. Where a table is wider, columns are left out, the
    ///   least important first.
    package static func results(
        _ report: Report, budgets: Budgets, width: Int = .max
    ) -> String {
        var notes: [String] = []
        let lines = report.rows.map { row -> ResultLine in
            let reason = report.reasons[row.key]
            if let reason, !notes.contains(reason) { notes.append(reason) }
            return ResultLine(
                row: row, budget: budgets.budget(for: row.key),
                note: reason.flatMap { notes.firstIndex(of: $0) }.map { $0 + 1 })
        }
        let scenarios = report.rows.reduce(into: [String]()) { names, row in
            if !names.contains(row.scenario) { names.append(row.scenario) }
        }
        var text = ""
        for scenario in scenarios {
            let note = report.scenarios.first { $0.name == scenario }
            text += scenario + (note.map { ": \($0.summary)" } ?? "") + "\n"
            text += group(lines.filter { $0.row.scenario == scenario }, width: width) + "\n"
        }
        return notes.enumerated().reduce(text) { "\($0)[\($1.offset + 1)] \($1.element)\n" }
    }

    /// Every finding of a check.
    package static func findings(_ findings: [BudgetCheck.Finding]) -> String {
        let table = TextTable<BudgetCheck.Finding> { finding in
            [
                Column(title: "row", value: finding.key),
                Column(title: "must", value: limit(finding, \.must), align: .right),
                Column(title: "aim", value: limit(finding, \.aim), align: .right),
                Column(
                    title: "is", value: finding.figure.map(Figures.short) ?? "", align: .right),
                Column(title: "verdict", value: finding.verdict.text),
            ]
        }
        return table.string(for: findings, style: Style.psql) ?? ""
    }

    /// The changes between two runs.
    package static func changes(_ changes: [Comparison.Change]) -> String {
        let table = TextTable<Comparison.Change> { change in
            [
                Column(
                    title: "work", value: "\(change.scenario), \(change.variant)"),
                Column(title: "measure", value: change.metric),
                Column(
                    title: "before", value: Figures.value(change.before, unit: change.unit),
                    align: .right),
                Column(
                    title: "after", value: Figures.value(change.after, unit: change.unit),
                    align: .right),
                Column(
                    title: "to rivals", value: change.factor.map { Figures.ratio($0) } ?? "",
                    align: .right),
                Column(title: "", value: change.verdict == .worse ? "WORSE" : "better"),
            ]
        }
        return table.string(for: changes, style: Style.psql) ?? ""
    }

    /// One scenario's lines, in as many columns as there is room for.
    private static func group(_ lines: [ResultLine], width: Int) -> String {
        var text = ""
        for dropped in 0..<4 {
            var previous = ""
            let shown = lines.map { line in
                var line = line
                line.heading = line.row.variant == previous ? "" : line.row.variant
                previous = line.row.variant
                return line
            }
            let table = TextTable<ResultLine> { line in
                let needs = [
                    Column(title: "Swivel", value: line.subject, align: .right),
                    Column(title: "needs", value: line.rival, align: .right),
                ]
                return [
                    Column(title: "work", value: line.heading),
                    Column(title: "measure", value: line.row.metric),
                    Column(title: "rival", value: line.row.rival),
                ] + (dropped < 3 ? needs : []) + [
                    Column(title: "Swivel is", value: Figures.ratio(line.row.ratio), align: .right)
                ]
                    + (dropped < 1
                        ? [Column(title: "from … to", value: line.interval, align: .right)] : [])
                    + (dropped < 2 ? [Column(title: "must", value: line.must, align: .right)] : [])
                    + [
                        Column(title: "", value: line.verdict),
                        Column(title: "why", value: line.note.map { "[\($0)]" } ?? ""),
                    ]
            }
            text = table.string(for: shown, style: Style.psql) ?? ""
            let widest = text.split(separator: "\n").map(\.count).max() ?? 0
            if widest <= width { break }
        }
        return text
    }

    private static func limit(
        _ finding: BudgetCheck.Finding, _ which: KeyPath<Budget, Double?>
    ) -> String {
        guard let budget = finding.budget, let limit = budget[keyPath: which] else { return "" }
        return Figures.limit(budget.form, limit)
    }

    private static func limit(
        _ finding: BudgetCheck.Finding, _ which: KeyPath<Budget, Double>
    ) -> String {
        finding.budget.map { Figures.limit($0.form, $0[keyPath: which]) } ?? ""
    }
}

/// One printed line of the results.
private struct ResultLine {
    var heading = ""
    let row: Row
    let budget: Budget?
    /// The number of the reason why Swivel is worse.
    let note: Int?

    init(row: Row, budget: Budget?, note: Int?) {
        self.row = row
        self.budget = budget
        self.note = note
    }

    var subject: String { Figures.value(row.subjectMedian, unit: row.unit) }
    var rival: String { Figures.value(row.rivalMedian, unit: row.unit) }
    var must: String { budget.map { Figures.limit($0.form, $0.must) } ?? "" }

    /// The whiskers, in words where one end is a loss.
    var interval: String {
        guard let low = row.low else { return "" }
        let high = row.high.map { $0 < 1 ? "1/\(Figures.short(1 / $0))" : Figures.short($0) }
        let first = low < 1 && low > 0 ? "1/\(Figures.short(1 / low))" : Figures.short(low)
        return "\(first) … \(high ?? "∞")"
    }

    var verdict: String {
        guard let budget else { return "" }
        let finding = budget.figure(of: row)
        if !budget.isReached(budget.must, by: finding) { return "MISSED" }
        let reachesAim = budget.aim.map { budget.isReached($0, by: finding) } ?? false
        return reachesAim ? "aim" : "ok"
    }
}
