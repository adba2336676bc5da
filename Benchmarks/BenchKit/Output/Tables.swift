// SPDX-License-Identifier: Apache-2.0

internal import TextTable

/// Results as text for a terminal.
package enum Tables {
    /// Every row of a report, in the order in which it ran, the losing ones too.
    ///
    /// - Parameter reasons: why Swivel is worse, by the keys of rows: numbers in the table, and a
    ///   line for each below it.
    package static func results(
        _ report: Report, budgets: Budgets, reasons: [String: String] = [:]
    ) -> String {
        var previous = ""
        var notes: [String] = []
        let lines = report.rows.map { row -> ResultLine in
            let heading = "\(row.scenario) · \(row.variant)"
            defer { previous = heading }
            let reason = reasons[row.key]
            if let reason, !notes.contains(reason) { notes.append(reason) }
            return ResultLine(
                heading: heading == previous ? "" : heading, row: row,
                budget: budgets.budget(for: row.key),
                note: reason.flatMap { notes.firstIndex(of: $0) }.map { $0 + 1 })
        }
        let table = TextTable<ResultLine> { line in
            [
                Column(title: "work", value: line.heading),
                Column(title: "measure", value: line.row.metric),
                Column(title: "Swivel", value: line.subject, align: .right),
                Column(title: "rival", value: line.row.rival),
                Column(title: "needs", value: line.rival, align: .right),
                Column(title: "Swivel is", value: line.ratio, align: .right),
                Column(title: "must", value: line.must, align: .right),
                Column(title: "", value: line.verdict),
                Column(title: "why", value: line.note.map { "[\($0)]" } ?? ""),
            ]
        }
        let text = table.string(for: lines, style: Style.psql) ?? ""
        return notes.enumerated().reduce(text) { "\($0)[\($1.offset + 1)] \($1.element)\n" }
    }

    /// Every finding of a check.
    package static func findings(_ check: BudgetCheck) -> String {
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
        return table.string(for: check.findings, style: Style.psql) ?? ""
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
    let heading: String
    let row: Row
    let budget: Budget?
    /// The number of the reason why Swivel is worse.
    let note: Int?

    var subject: String { Figures.value(row.subjectMedian, unit: row.unit) }
    var rival: String { Figures.value(row.rivalMedian, unit: row.unit) }
    var must: String { budget.map { Figures.limit($0.form, $0.must) } ?? "" }

    /// "3.2× better" or "1.4× worse": nobody has to think which way round a ratio is.
    var ratio: String {
        guard let ratio = row.ratio else { return "∞ better" }
        if Figures.short(ratio) == "1" { return "equal" }
        return ratio > 1
            ? "\(Figures.ratio(ratio)) better" : "\(Figures.ratio(1 / ratio)) worse"
    }

    var verdict: String {
        guard let budget else { return "" }
        let finding = budget.figure(of: row)
        if !budget.isReached(budget.must, by: finding) { return "MISSED" }
        return budget.isReached(budget.aim ?? budget.must, by: finding) ? "aim" : "ok"
    }
}
