// SPDX-License-Identifier: Apache-2.0
/// Results as text for a terminal and for pages in Markdown.
package enum Tables {
    /// Every row of a report, the lost ones too, grouped by scenario.
    package static func results(_ report: Report, budgets: Budgets) -> String {
        var seen: Set<String> = []
        let scenarios = report.rows.map(\.scenario).filter { seen.insert($0).inserted }
        return scenarios.map { scenario in
            let summary = report.scenarios.first { $0.name == scenario }.map { ": \($0.summary)" }
            var variant = ""
            let lines = report.rows.filter { $0.scenario == scenario }.map { row in
                defer { variant = row.variant }
                let budget = budgets.budget(for: row.key)
                return [
                    row.variant == variant ? "" : row.variant, row.metric, row.rival,
                    Figures.value(row.subjectMedian, unit: row.unit),
                    Figures.value(row.rivalMedian, unit: row.unit), Figures.ratio(row.ratio),
                    budget.map { Figures.limit($0.form, $0.must) } ?? "",
                    budget.map { $0.isReached(by: $0.figure(of: row)) ? "held" : "MISSED" } ?? "",
                ]
            }
            let heads = ["", "measure", "rival", "Swivel", "the rival", "Swivel is", "gate", ""]
            return scenario + (summary ?? "") + "\n" + columns([heads] + lines)
        }.joined(separator: "\n")
    }

    /// The reasons of the lost rows, each once.
    package static func losses(_ report: Report) -> String {
        guard !report.losses.isEmpty else { return "" }
        var scenarios: [String: [String]] = [:]
        for row in report.losses {
            let reason = report.reasons[row.key] ?? "no reason is known"
            let work = "\(row.scenario), \(row.variant), \(row.rival)"
            if scenarios[reason]?.contains(work) != true {
                scenarios[reason, default: []] += [work]
            }
        }
        return "Swivel is worse in:\n"
            + scenarios.sorted { $0.value[0] < $1.value[0] }.map { reason, works in
                "  \(works.joined(separator: "; ")): \(reason)\n"
            }.joined()
    }

    package static func findings(_ findings: [BudgetCheck.Finding]) -> String {
        columns(
            findings.map { finding in
                [
                    finding.key, finding.budget.map { Figures.limit($0.form, $0.must) } ?? "",
                    finding.figure.map(Figures.short) ?? "", finding.verdict.text,
                ]
            })
    }

    package static func changes(_ changes: [Comparison.Change]) -> String {
        columns(
            changes.map { change in
                [
                    change.work, change.metric, Figures.value(change.before, unit: change.unit),
                    "→ " + Figures.value(change.after, unit: change.unit),
                    "to rivals: \(Figures.ratio(change.factor))",
                    change.verdict == .worse ? "WORSE" : change.verdict.rawValue,
                ]
            })
    }

    /// The gates and a run's figures, as docs/PERFORMANCE.md has them.
    package static func markdown(_ check: BudgetCheck) -> String {
        let lines = check.findings.compactMap { finding -> String? in
            guard let budget = finding.budget else { return nil }
            let cells = [
                "\(budget.scenario), \(budget.variant), \(budget.metric)", budget.rival,
                Figures.limit(budget.form, budget.must), finding.figure.map(Figures.short) ?? "",
                finding.verdict == .missed ? "**missed**" : finding.verdict.text,
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let head = ["| work | next to | gate | measured | |", "|---|---|--:|--:|---|"]
        return ([check.summary, ""] + head + lines).joined(separator: "\n")
    }

    /// A run in a sentence or two.
    package static func verdict(_ report: Report, _ check: BudgetCheck) -> String {
        let (wins, losses) = (report.rows.count(where: \.isWin), report.losses.count)
        let rows =
            "Swivel is better in \(wins) of \(report.rows.count) rows and worse in \(losses)."
        return check.judgesNothing ? rows : "\(rows) \(check.summary)"
    }

    /// Cells in columns of equal width.
    static func columns(_ lines: [[String]]) -> String {
        let count = lines.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            let padded = zip(cells, widths).map {
                $0 + String(repeating: " ", count: $1 - $0.count)
            }
            let line = padded.joined(separator: "  ")
            return "  " + line.reversed().drop { $0 == " " }.reversed() + "\n"
        }.joined()
    }
}
