// SPDX-License-Identifier: Apache-2.0
/// The report as one page that needs nothing but itself: the verdict, a bar per capability and
/// rival, curves, and every figure and word behind a fold.
package enum HTML {
    package static func page(_ report: Report, budgets: Budgets) -> String {
        let check = BudgetCheck(report, against: budgets)
        let parts = parts(report, check, budgets)
        let links = parts.map { "<a href=\"#\($0.id)\">\($0.title)</a>" }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Swivel and its rivals</title><style>
            \(css)
            </style></head><body>
            <h1>Swivel and its rivals</h1>
            <p class="verdict">\(escaped(Tables.verdict(report, check)))</p>
            <p>A row is one measure of one kind of work, next to one rival that does the same work
            in the same minutes. A gate is a limit that the library is designed to.</p>
            <nav>\(links.joined(separator: " · "))</nav>
            <h2 id="summary">Summary</h2>
            <p>Each bar is one capability next to one rival, in the shape of the work that is worse
            for Swivel. An outlined bar has no factor, as one side needs nothing: the figure is the
            difference. Longer bars end with the scale.</p>
            <div class="wide">\(Chart.bars(report, width: 1_080))</div>
            <div class="narrow">\(Chart.bars(report, width: 356))</div>
            <h2 id="curves">Growth and lateness</h2>
            <p>Lower is better. From one line of the grid to the next it is ten times as much.</p>
            <div class="curves">\(Curve.all.map { $0.svg(report) }.joined(separator: "\n"))</div>
            <h2>Details</h2>
            \(parts.dropFirst(2).map(fold).joined(separator: "\n"))
            </body></html>

            """
    }

    private typealias Part = (id: String, title: String, content: String)

    /// The parts in the list of contents: two charts, and folded ones.
    private static func parts(_ report: Report, _ check: BudgetCheck, _ budgets: Budgets) -> [Part]
    {
        let words = Words.all(report).map { "<dt>\(escaped($0))</dt><dd>\(escaped($1))</dd>" }
        let run = Tables.surroundings(report).map { "<li>\(escaped($0))</li>" }
        func text(_ text: String) -> String { "<pre>\(escaped(text))</pre>" }
        let (losses, gates) = (Tables.losses(report), Tables.findings(check.findings))
        let figures = text(Tables.results(report, budgets: budgets))
        return [
            ("summary", "Summary", ""), ("curves", "Growth and lateness", ""),
            ("worse", "Where Swivel is worse: \(report.losses.count) rows", text(losses)),
            ("gates", "The gates", text("\(check.summary)\n\n\(gates)")),
            ("figures", "Every figure: \(report.rows.count) rows", figures),
            ("words", "The words of this page", "<dl>\(words.joined())</dl>"),
            ("run", "This run", "<ul>\(run.joined())</ul>"),
        ]
    }

    private static func fold(_ part: Part) -> String {
        "<details><summary>\(part.title)</summary>"
            + "<div id=\"\(part.id)\">\(part.content)</div></details>"
    }

    /// Text in which nothing is markup.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    private static let css = """
        :root { color-scheme: light dark; }
        body { margin: 0 auto; max-width: 1080px; padding: 16px; background: #fff; color: #1d1d1f;
          font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1, h2 { line-height: 1.2; margin: 20px 0 8px; } p { margin: 8px 0; max-width: 50rem; }
        .verdict { font-size: 20px; font-weight: 600; } a { color: #0066cc; }
        svg { max-width: 100%; } .curves { display: flex; flex-wrap: wrap; gap: 4px; }
        .narrow { display: none; } summary, dt { font-weight: 600; } summary { cursor: pointer; }
        details { margin: 10px 0; } pre { overflow-x: auto; font-size: 12px; }
        dd { margin: 0 0 6px 16px; }
        \(Chart.style(isDark: false))
        \(Curve.style(isDark: false))
        @media (max-width: 1100px) { .wide { display: none; } .narrow { display: block; } }
        @media (prefers-color-scheme: dark) {
        body { background: #1c1c1e; color: #f5f5f7; } a { color: #6cb4ff; }
        \(Chart.style(isDark: true))
        \(Curve.style(isDark: true))
        }
        """
}
