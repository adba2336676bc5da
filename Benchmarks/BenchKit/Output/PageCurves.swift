// SPDX-License-Identifier: Apache-2.0

/// The curves, with their figures behind them.
enum PageCurves {
    static func html(_ report: Report) -> String {
        guard !report.curves.isEmpty else { return "" }
        let pictures = report.curves.map { picture($0, report.failures) }
        let tables = report.curves.filter { !$0.series.isEmpty }.map(table)
        return """
            <section>
            <h2 id="curves">How cost grows, and how late timers are</h2>
            <p>Lower is better. Both axes are logarithmic. A point is the median of the rounds, and
            the thin line through it spans them, as far as the chart goes. A contender’s line ends
            where its next point would take seconds, or where the contender failed: its chart says
            so.</p>
            <div class="curves">
            \(pictures.joined())</div>
            \(HTML.details("Figures of the curves", tables.joined(separator: "\n")))
            </section>

            """
    }

    private static func picture(_ curve: Curve, _ failures: [String]) -> String {
        let beginning = Sweep.failureBeginning(curve.name)
        let failed = failures.filter { $0.hasPrefix(beginning) }.map { failure in
            let text = HTML.escaped(String(failure.dropFirst(beginning.count)))
            return "<p class=\"failed\">Failed: \(text)</p>"
        }
        let chart = LineChart(curve)
        let lines = curve.series.isEmpty ? "" : chart.canvas().svg + chart.legend()
        return """
            <figure>
            <figcaption><b>\(HTML.escaped(curve.name))</b> \(HTML.escaped(curve.summary))\
            </figcaption>
            \(lines)\(failed.joined())</figure>

            """
    }

    private static func table(_ curve: Curve) -> String {
        let xs = Array(Set(curve.series.flatMap { $0.points.map(\.x) })).sorted()
        let names = xs.map {
            curve.axis == .percentile ? "p\(Figures.short($0))" : Figures.count($0)
        }
        let lines = curve.series.map { series in
            [series.name]
                + xs.map { x in
                    series.points.first { $0.x == x }
                        .map { Figures.value($0.y, unit: curve.unit) } ?? ""
                }
        }
        return HTML.table([""] + names, lines, caption: curve.name)
    }
}
