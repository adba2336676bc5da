// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The report as one page that needs nothing but itself: the verdict, a bar per gate, and every
/// figure behind a fold.
package enum HTML {
    package static func page(_ report: Report, budgets: Budgets) -> String {
        let check = BudgetCheck(report, against: budgets)
        let gated = report.rows.filter { budgets.budget(for: $0.key) != nil }
        let machine = report.machine
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Swivel and its rivals</title><style>
            \(css)
            </style></head><body>
            <h1>Swivel and its rivals</h1>
            <p><b>\(escaped(Tables.verdict(report, check)))</b></p>
            <p>\(escaped("\(machine.processor), \(machine.cores) cores, \(machine.system); "
                + "Swift \(report.versions.swift), libuv \(report.versions.libuv); "
                + "commit \(report.commit), \(report.date)\(report.quick ? ", quick" : "")"))</p>
            \(list(report.missing.map { "\($0.name) did not take part: \($0.remedy)" }
                + report.failures.map { "Failed: \($0)" }))
            <h2>The gates</h2>
            <p>A bar to the right is a win, one to the left a loss; a faint line is a factor of ten.</p>
            \(gated.map { bar($0, budgets) }.joined(separator: "\n"))
            <details><summary>Where Swivel is worse: \(report.losses.count) rows</summary>
            <pre>\(escaped(Tables.losses(report)))</pre></details>
            <details><summary>Every figure: \(report.rows.count) rows</summary>
            <pre>\(escaped(Tables.results(report, budgets: budgets)))</pre></details>
            </body></html>

            """
    }

    private static func bar(_ row: Row, _ budgets: Budgets) -> String {
        let held = budgets.budget(for: row.key).map { $0.isReached(by: $0.figure(of: row)) } ?? true
        // Three powers of ten on each side, in per cent of the track.
        let decades = min(3, max(-3, log10(row.ratio ?? 1_000)))
        let (left, width) = (50 + min(0, decades) * 50 / 3, abs(decades) * 50 / 3)
        let style = String(format: "left:%.1f%%;width:%.1f%%", left, max(0.3, width))
        let name = "\(row.scenario), \(row.variant), \(row.metric) / \(row.rival)"
        let limit = budgets.budget(for: row.key).map { Figures.limit($0.form, $0.must) } ?? ""
        return """
            <div class="bar"><span>\(escaped(name))</span><span class="track">\
            <i class="\(row.isLoss ? "loss" : "win")" style="\(style)"></i></span>\
            <span>\(escaped(Figures.ratio(row.ratio))), \
            \(escaped(Figures.value(row.subjectMedian, unit: row.unit))) \
            (\(escaped(limit))\(held ? "" : ", <b>missed</b>"))</span></div>
            """
    }

    private static func list(_ items: [String]) -> String {
        items.isEmpty
            ? "" : "<ul>\(items.map { "<li>\(escaped($0))</li>" }.joined())</ul>"
    }

    /// Text in which nothing is markup.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    private static let css = """
        :root { color-scheme: light dark; --line: #8886; --win: #1a7f4b; --loss: #c2412d; }
        body { margin: 0 auto; max-width: 70rem; padding: 1rem; font: 15px/1.5 system-ui, sans-serif;
          overflow-wrap: anywhere; }
        .bar { display: grid; grid-template-columns: 24rem 1fr 19rem; gap: 0 .8rem; font-size: .8rem; }
        .track { position: relative; background:
          repeating-linear-gradient(90deg, var(--line) 0 1px, transparent 1px calc(100% / 6)); }
        .track i { position: absolute; top: .2rem; height: .8rem; }
        .win { background: var(--win); } .loss { background: var(--loss); }
        details { margin: 1rem 0; } pre { overflow-x: auto; font-size: .75rem; }
        @media (max-width: 50rem) { .bar { grid-template-columns: 1fr; } .track { height: 1.2rem; } }
        """
}
