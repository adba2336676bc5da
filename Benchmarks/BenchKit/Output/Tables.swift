// SPDX-License-Identifier: Apache-2.0
/// Results as text for a terminal and for pages in Markdown.
package enum Tables {
    /// Every row of a report, the lost ones too, grouped by scenario.
    package static func results(_ report: Report, budgets: Budgets) -> String {
        report.rows.map(\.scenario).unique.map { scenario in
            let summary = report.scenarios.first { $0.name == scenario }.map { ": \($0.text)" }
            var variant = ""
            let lines = report.rows.filter { $0.scenario == scenario }.map { row in
                defer { variant = row.variant }
                let budget = budgets.budget(for: row.key)
                return [
                    row.variant == variant ? "" : row.variant, row.metric, row.rival,
                    Figures.value(row.subjectMedian, unit: row.unit),
                    Figures.value(row.rivalMedian, unit: row.unit), Figures.comparison(row),
                    Figures.interval(row),
                    budget.map { Figures.limit($0.form, $0.must) } ?? "",
                    budget.map { $0.isReached(by: $0.figure(of: row)) ? "held" : "MISSED" } ?? "",
                ]
            }
            let heads = [
                "", "measure", "rival", "Swivel", "the rival", "Swivel is", "from, to", "gate", "",
            ]
            return scenario + (summary ?? "") + "\n" + columns([heads] + lines)
        }.joined(separator: "\n")
    }

    /// Every row in which Swivel is worse, a line each, with the reason.
    package static func losses(_ report: Report) -> String {
        columns(
            report.losses.map { row in
                [
                    "\(row.scenario), \(row.variant)", row.metric, row.rival,
                    Figures.value(row.subjectMedian, unit: row.unit),
                    Figures.value(row.rivalMedian, unit: row.unit), Figures.comparison(row),
                    report.reasons[row.key] ?? "no reason is known",
                ]
            })
    }

    /// A run on a terminal: with the lines for the page and ``closing(_:_:)``, 40 at most.
    package static func summary(_ report: Report, _ check: BudgetCheck) -> String {
        let all = Capability.all.filter(\.isOfTen) + Capability.all.filter { !$0.isOfTen }
        let ten = all.compactMap { capability in
            capability.main(in: report).map { row in
                [
                    capability.title, Figures.brief(row.subjectMedian, row),
                    Figures.brief(row.rivalMedian, row), Figures.comparison(row), row.rival,
                    row.variant,
                ]
            }
        }.prefix(10)
        let head = ["", "Swivel", "rival", "Swivel is", "rival", "in its worse shape"]
        let losses = largestLosses(report).flatMap { [$0.what, "  " + $0.why] }
        let gates = findings(check.failing).split(separator: "\n").map { String($0.dropFirst(2)) }
        let left = report.missing.map(\.name).joined(separator: ", ")
        let load = Surroundings.load().map { "load \(Figures.short($0)): trust no single figure" }
        let parts = [
            verdict(report, check), "\n\n", columns([head] + ten), "\n",
            list("The largest losses:", losses, 6), list("Gates that fail:", gates),
            list("Failed:", report.failures),
            list("Not measured, as the machine was too busy:", report.unmeasured),
            left.isEmpty ? "" : "Without \(left): the page describes how they take part.\n",
            load.map { "The machine is not idle (\($0)).\n" } ?? "",
        ]
        return parts.joined()
    }

    /// The first few items below a title, and the number of the others.
    private static func list(_ title: String, _ items: [String], _ most: Int = 3) -> String {
        guard !items.isEmpty else { return "" }
        let lines = items.prefix(most).map { "  \($0)\n" }.joined()
        let others = items.count - most
        return "\(title)\n\(lines)" + (others > 0 ? "  and \(others) more, on the page\n" : "")
    }

    /// The last line of a run: the verdict once more, and why the exit code is not 0.
    package static func closing(_ report: Report, _ check: BudgetCheck) -> String {
        verdict(report, check) + (report.fault.map { " The exit code is 2: \($0)." } ?? "")
    }

    /// The three largest losses, each of another scenario, with their reasons.
    package static func largestLosses(_ report: Report) -> [(what: String, why: String)] {
        let losses = report.losses
        return losses.map(\.scenario).unique.prefix(3).compactMap { scenario in
            guard let row = losses.first(where: { $0.scenario == scenario }) else { return nil }
            let title = Capability.all.first { $0.scenario == scenario }?.title ?? scenario
            return (
                "\(title) (\(row.variant), \(row.metric)), next to \(row.rival): "
                    + "\(Figures.brief(row.subjectMedian, row)), \(Figures.comparison(row))",
                report.reasons[row.key] ?? "no reason is known"
            )
        }
    }

    /// Where a run was made, and what it lacks.
    static func surroundings(_ report: Report) -> [String] {
        let machine = report.machine
        var lines = [
            "\(machine.processor), \(machine.cores) cores, \(machine.system)",
            "Swift \(machine.swift), libuv \(machine.libuv)",
            "commit \(report.commit), \(report.date)\(report.quick ? ", quick" : "")",
        ]
        lines += report.missing.map { "\($0.name) did not take part: \($0.text)" }
        lines += report.failures.map { "failed: \($0)" }
        lines += report.unmeasured.map { "not measured, as the machine was too busy: \($0)" }
        return lines
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
        let (wins, losses) = (report.rows.count { $0.outcome == .better }, report.losses.count)
        let equal = report.rows.count - wins - losses
        let rows =
            "Swivel is better in \(wins) of \(report.rows.count) rows, worse in \(losses)"
            + " and equal in \(equal)."
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
