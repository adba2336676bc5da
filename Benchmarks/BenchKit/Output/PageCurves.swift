// SPDX-License-Identifier: Apache-2.0

/// The curves, each with its figures behind it.
enum PageCurves {
    static func html(_ report: Report) -> String {
        guard !report.curves.isEmpty else { return "" }
        let figures = report.curves.map { curve in
            let chart = LineChart(curve)
            return """
                <figure>
                <figcaption><b>\(HTML.escaped(curve.name))</b> \(HTML.escaped(curve.summary))\
                </figcaption>
                \(chart.canvas().svg)\(chart.legend())
                \(HTML.details("Figures", table(curve)))</figure>

                """
        }
        return """
            <section>
            <h2 id="curves">How cost grows, and how late timers are</h2>
            <p>Lower is better. Both axes are logarithmic; a line ends where its next point would take
            the contender seconds.</p>
            <div class="curves">
            \(figures.joined())</div>
            </section>

            """
    }

    private static func table(_ curve: Curve) -> String {
        let xs = Array(Set(curve.series.flatMap { $0.points.map(\.x) })).sorted()
        let names = xs.map {
            curve.axis == .percentile ? "p\(Figures.short($0))" : Figures.count($0)
        }
        return HTML.table(
            [""] + names,
            curve.series.map { series in
                [series.name]
                    + xs.map { x in
                        series.points.first { $0.x == x }
                            .map { Figures.value($0.y, unit: curve.unit) } ?? ""
                    }
            })
    }
}
