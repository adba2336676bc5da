// SPDX-License-Identifier: Apache-2.0

/// The scenarios: bars for the measure that counts, and every figure behind them.
struct PageBars {
    private let report: Report
    private let budgets: Budgets
    private let sources: PageSources
    private let scale: LogScale

    init(_ report: Report, budgets: Budgets, sources: PageSources) {
        self.report = report
        self.budgets = budgets
        self.sources = sources
        scale = .both(holding: report.rows.compactMap(\.ratio))
    }

    var html: String {
        let sections = names(report.rows.map(\.scenario)).map(section)
        return """
            <h2 id="scenarios">The scenarios</h2>
            <p>Bars to the right are wins, bars to the left are losses; from one faint line to the
            next it is ten times. A pointed bar goes on beyond the scale. The thin line is where the
            median lies with a confidence of 95 %, or all rounds if they are fewer than six; the
            dashed one is what the row must reach.</p>
            <div style="--step:\(scale.step)">
            \(key)
            \(sections.joined())</div>
            """
    }

    /// The scale, above the bars.
    private var key: String {
        let end = Figures.ratio(scale.highest).prefix { $0 != " " }
        return """
            <div class="bar key"><span class="who"></span><span class="ends">\
            <span>\(end) worse</span><span>equal</span><span>\(end) better</span></span></div>
            """
    }

    private func section(_ name: String) -> String {
        let rows = report.rows.filter { $0.scenario == name }
        let about = report.scenarios.first { $0.name == name }.map { note in
            let text = HTML.escaped(note.summary.prefix(1).uppercased() + note.summary.dropFirst())
            return "<p>\(text). Source: \(sources.html(note.source))</p>"
        }
        let groups = names(rows.map(\.variant)).map { variant in
            let bars = main(rows.filter { $0.variant == variant }).map(bar)
            return "<h4>\(HTML.escaped(variant))</h4>\n<div class=\"bars\">\(bars.joined())</div>"
        }
        return """
            <section>
            <h3 id="\(HTML.escaped(name))">\(HTML.escaped(name))</h3>
            \(about ?? "")
            \(groups.joined(separator: "\n"))
            \(HTML.details("Figures", PageFigures.table(rows, report.reasons, budgets)))
            </section>

            """
    }

    /// Each name once, in the order in which they come first.
    private func names(_ all: [String]) -> [String] {
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// The rows with a bar: those with a budget, times that are losses, and the first of each rival
    /// that has no budget. The others are in the table, and among the losses if they are some.
    private func main(_ rows: [Row]) -> [Row] {
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

    private func bar(_ row: Row) -> String {
        """
        <div class="bar"><span class="who">\(HTML.escaped("\(row.metric) vs \(row.rival)"))</span>\
        \(RatioBar(row, budget: budgets.budget(for: row.key), scale: scale).html)\
        <b>\(HTML.escaped(Figures.ratio(row.ratio)))</b></div>

        """
    }
}
