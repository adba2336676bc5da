// SPDX-License-Identifier: Apache-2.0

/// The report as one page that needs nothing beside itself: no script, no font, no picture.
package enum HTML {
    /// - Parameter reasons: why Swivel is worse, by the keys of rows.
    package static func page(
        _ report: Report, budgets: Budgets, reasons: [String: String] = [:]
    ) -> String {
        let scenarios = report.rows.reduce(into: [String]()) { names, row in
            if names.last != row.scenario { names.append(row.scenario) }
        }
        let decades = RatioChart.decades(of: report.rows)
        let sections = scenarios.map { name in
            let rows = report.rows.filter { $0.scenario == name }
            let chart = RatioChart(rows: rows, budgets: budgets, decades: decades)
            return """
                <section>
                <h2 id="\(escaped(name))">\(escaped(name))</h2>
                \(chart.svg())
                <details><summary>Figures</summary>
                <div class="scroll">\(table(rows, budgets, reasons))</div>
                </details>
                </section>

                """
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Swivel and its rivals</title>
            <style>
            \(PageStyle.css)
            </style>
            </head>
            <body>
            <h1>Swivel and its rivals</h1>
            <p>How many times better Swivel is: bars to the right are wins, bars to the left are
            losses, and a dashed line is what the row must reach. Medians of interleaved rounds in
            one process; absolute times depend on the machine, ratios far less.</p>
            \(facts(report))
            \(sections.joined())
            </body>
            </html>

            """
    }

    /// Text in which nothing is markup.
    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
        return out
    }

    private static func facts(_ report: Report) -> String {
        let machine = report.machine
        let facts = [
            ("Machine", "\(machine.processor), \(machine.cores) cores, \(machine.memoryGiB) GiB"),
            ("System", "\(machine.system), \(machine.architecture)"),
            ("Swift", report.versions.swift),
            ("libuv", report.versions.libuv),
            ("Swivel", "\(report.versions.swivel), commit \(report.commit)"),
            ("Run", report.date + (report.quick ? ", quick" : "")),
        ]
        let items = facts.map { "<dt>\(escaped($0.0))</dt><dd>\(escaped($0.1))</dd>" }
        return "<dl>\(items.joined())</dl>"
    }

    private static func table(
        _ rows: [Row], _ budgets: Budgets, _ reasons: [String: String]
    ) -> String {
        let heads = [
            "variant", "measure", "rival", "Swivel", "rival", "ratio", "must", "spread", "why",
        ]
        let lines = rows.map { row in
            let budget = budgets.budget(for: row.key)
            let cells = [
                row.variant, row.metric, row.rival,
                Figures.value(row.subjectMedian, unit: row.unit),
                Figures.value(row.rivalMedian, unit: row.unit),
                Figures.ratio(row.ratio),
                budget.map { Figures.limit($0.form, $0.must) } ?? "",
                "\(Figures.short(row.spread * 100)) %", reasons[row.key] ?? "",
            ]
            return "<tr>" + cells.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>"
        }
        return "<table><tr>" + heads.map { "<th>\($0)</th>" }.joined() + "</tr>"
            + lines.joined(separator: "\n") + "</table>"
    }
}
