// SPDX-License-Identifier: Apache-2.0

/// The rows for other programs, and for other pages.
package enum Listing {
    /// A table in GitHub's Markdown; losses are in bold.
    package static func markdown(_ report: Report, budgets: Budgets) -> String {
        let head = [
            "work", "measure", "Swivel", "rival", "the rival", "Swivel is", "must",
        ]
        let lines = report.rows.map { row -> [String] in
            let ratio = Figures.ratio(row.ratio)
            let budget = budgets.budget(for: row.key)
            return [
                "\(row.scenario), \(row.variant)", row.metric,
                Figures.value(row.subjectMedian, unit: row.unit), row.rival,
                Figures.value(row.rivalMedian, unit: row.unit),
                ratio.hasSuffix("worse") ? "**\(ratio)**" : ratio,
                budget.map { Figures.limit($0.form, $0.must) } ?? "",
            ]
        }
        return ([head, head.map { _ in "---" }] + lines).map { cells in
            "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
        }.joined()
    }

    /// The budgets and how a run stands to them, as docs/PERFORMANCE.md has it.
    package static func markdown(_ check: BudgetCheck) -> String {
        let head = ["| scenario | beside | must | aim | measured | |", "|---|---|--:|--:|--:|---|"]
        let lines = check.findings.compactMap { finding -> String? in
            guard let budget = finding.budget else { return nil }
            let verdict =
                switch finding.verdict {
                case .aimReached: "aim"
                case .mustReached: "held"
                case .missed: "**missed**"
                case .missingRow, .missingRival, .leftOut, .uncounted, .tooFewRounds, .unasserted:
                    "not measured"
                }
            let cells = [
                "\(budget.scenario), \(budget.variant), \(budget.metric)", budget.rival,
                Figures.limit(budget.form, budget.must),
                budget.aim.map { Figures.limit(budget.form, $0) } ?? "",
                finding.figure.map(Figures.short) ?? "", verdict,
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return (head + lines).joined(separator: "\n") + "\n"
    }

    /// The rows with the keys of the JSON, quoted as RFC 4180 asks.
    package static func csv(_ report: Report) -> String {
        let head = [
            "scenario", "variant", "metric", "unit", "subject", "rival", "subjectMedian",
            "rivalMedian", "ratio", "low", "high", "rounds", "spread",
        ]
        let lines = report.rows.map { row -> [String] in
            let names = [row.scenario, row.variant, row.metric, row.unit, row.subject, row.rival]
            let figures: [Double?] = [
                row.subjectMedian, row.rivalMedian, row.ratio, row.low, row.high,
                Double(row.rounds), row.spread,
            ]
            return names + figures.map { figure in figure.map { "\($0)" } ?? "" }
        }
        return ([head] + lines).map { cells in
            cells.map(quoted).joined(separator: ",") + "\r\n"
        }.joined()
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
