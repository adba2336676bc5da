// SPDX-License-Identifier: Apache-2.0

/// The scenarios: bars for the measure that counts, and every figure behind them.
enum PageBars {
    static func html(_ report: Report, budgets: Budgets) -> String {
        let ratios = report.rows.flatMap { [$0.ratio, $0.low, $0.high] }.compactMap { $0 }
        let scale = LogScale(holding: ratios + [0.5, 2])
        let names = report.rows.reduce(into: [String]()) { names, row in
            if !names.contains(row.scenario) { names.append(row.scenario) }
        }
        let sections = names.map { name in
            section(name, report, budgets: budgets, scale: scale)
        }
        return """
            <h2 id="scenarios">The scenarios</h2>
            <p>Bars to the right are wins, bars to the left are losses; each step of the lines is ten
            times. The thin line is where the median lies with a confidence of 95 %, the dashed one is
            what the row must reach.</p>
            \(sections.joined())
            """
    }

    private static func section(
        _ name: String, _ report: Report, budgets: Budgets, scale: LogScale
    ) -> String {
        let rows = report.rows.filter { $0.scenario == name }
        let note = report.scenarios.first { $0.name == name }
        let about = note.map {
            "<p>\(HTML.escaped(sentence($0.summary))) <a href=\"\($0.source)\">Source</a></p>"
        }
        let variants = rows.reduce(into: [String]()) { names, row in
            if !names.contains(row.variant) { names.append(row.variant) }
        }
        let groups = variants.map { variant in
            let bars = main(rows.filter { $0.variant == variant }, budgets).map { row in
                bar(row, budgets.budget(for: row.key), scale)
            }
            return "<h4>\(HTML.escaped(variant))</h4>\n<div class=\"bars\">\(bars.joined())</div>"
        }
        return """
            <section>
            <h3 id="\(HTML.escaped(name))">\(HTML.escaped(name))</h3>
            \(about ?? "")
            \(groups.joined(separator: "\n"))
            \(HTML.details("Figures", table(rows, budgets, report.reasons)))
            </section>

            """
    }

    /// The rows with a bar: those with a budget, times that are losses, and the first of each rival
    /// that has no budget. The others are in the table, and among the losses if they are some.
    private static func main(_ rows: [Row], _ budgets: Budgets) -> [Row] {
        let judged = Set(rows.filter { budgets.budget(for: $0.key) != nil }.map(\.rival))
        var seen: Set<String> = []
        return rows.filter { row in
            let isTime = Metric.named(row.metric)?.isTime ?? false
            if budgets.budget(for: row.key) != nil || (isTime && (row.ratio ?? 1) < 1) {
                seen.insert(row.rival)
                return true
            }
            return !judged.contains(row.rival) && seen.insert(row.rival).inserted
        }
    }

    private static func bar(_ row: Row, _ budget: Budget?, _ scale: LogScale) -> String {
        """
        <div class="bar"><span class="who">\(HTML.escaped("\(row.metric) vs \(row.rival)"))</span>\
        \(RatioBar(row, budget: budget, scale: scale).html)\
        <b>\(HTML.escaped(Figures.ratio(row.ratio)))</b></div>

        """
    }

    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }

    private static func table(
        _ rows: [Row], _ budgets: Budgets, _ reasons: [String: String]
    ) -> String {
        HTML.table(
            [
                "variant", "measure", "rival", "Swivel", "it", "Swivel is", "from", "to", "must",
                "rounds", "why",
            ],
            rows.map { row in
                let budget = budgets.budget(for: row.key)
                return [
                    row.variant, row.metric, row.rival,
                    Figures.value(row.subjectMedian, unit: row.unit),
                    Figures.value(row.rivalMedian, unit: row.unit), Figures.ratio(row.ratio),
                    row.low.map { Figures.ratio($0) } ?? "",
                    row.high.map { Figures.ratio($0) } ?? "",
                    budget.map { Figures.limit($0.form, $0.must) } ?? "", String(row.rounds),
                    reasons[row.key] ?? "",
                ]
            })
    }
}
