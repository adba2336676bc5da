// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A bar chart of ratios as inline SVG: bars to the right of the middle line are wins, bars to the
/// left are losses, on a logarithmic scale that all charts of a page share.
struct RatioChart {
    let rows: [Row]
    let budgets: Budgets
    /// The powers of ten that the scale reaches on either side of 1.
    let decades: (below: Double, above: Double)

    private let barHeight = 16.0
    private let rowHeight = 24.0
    private let labelWidth = 300.0
    private let plotWidth = 420.0
    private let figureWidth = 110.0

    init(rows: [Row], budgets: Budgets, decades: (below: Double, above: Double)) {
        self.rows = rows
        self.budgets = budgets
        self.decades = decades
    }

    /// The smallest scale that holds all of these rows.
    static func decades(of rows: [Row]) -> (below: Double, above: Double) {
        let logarithms = rows.compactMap { $0.ratio }.filter { $0 > 0 }.map { log10($0) }
        return (
            below: min(3, max(1, -(logarithms.min() ?? 0)).rounded(.up)),
            above: max(1, logarithms.max() ?? 1).rounded(.up)
        )
    }

    func svg() -> String {
        let width = labelWidth + plotWidth + figureWidth
        let height = Double(rows.count) * rowHeight + 22
        var svg = """
            <svg viewBox="0 0 \(text(width)) \(text(height))" role="img" \
            aria-label="How many times better Swivel is">

            """
        svg += scale(height: height - 18)
        for (index, row) in rows.enumerated() {
            svg += bar(row, top: Double(index) * rowHeight)
        }
        return svg + "</svg>\n"
    }

    private func scale(height: Double) -> String {
        var lines = ""
        for power in Int(-decades.below)...Int(decades.above) {
            let x = text(position(Double(power)))
            let kind = power == 0 ? "one" : "grid"
            let label =
                power < 0 ? "1/\(text(pow(10, Double(-power))))" : text(pow(10, Double(power)))
            lines += """
                <line class="\(kind)" x1="\(x)" x2="\(x)" y1="0" y2="\(text(height))"/>
                <text class="tick" x="\(x)" y="\(text(height + 14))">\(label)×</text>

                """
        }
        return lines
    }

    private func bar(_ row: Row, top: Double) -> String {
        let ratio = row.ratio ?? .infinity
        let end = position(log10(ratio))
        let middle = position(0)
        let baseline = text(top + barHeight / 2 + 7)
        var svg = """
            <g><title>\(HTML.escaped(tooltip(row)))</title>
            <text class="label" x="\(text(labelWidth - 10))" y="\(baseline)">\
            \(HTML.escaped("\(row.variant), \(row.metric) vs \(row.rival)"))</text>
            <rect class="\(ratio >= 1 ? "win" : "loss")" x="\(text(min(end, middle)))" \
            y="\(text(top + 3))" width="\(text(max(1.5, abs(end - middle))))" \
            height="\(text(barHeight))" rx="2"/>

            """
        if let must = mustRatio(row) {
            let x = text(position(log10(must)))
            svg += """
                <line class="must" x1="\(x)" x2="\(x)" y1="\(text(top + 1))" \
                y2="\(text(top + barHeight + 5))"/>

                """
        }
        svg += """
            <text class="figure" x="\(text(labelWidth + plotWidth + 10))" y="\(baseline)">\
            \(Figures.ratio(row.ratio))</text></g>

            """
        return svg
    }

    private func tooltip(_ row: Row) -> String {
        "Swivel \(Figures.value(row.subjectMedian, unit: row.unit)), \(row.rival) "
            + "\(Figures.value(row.rivalMedian, unit: row.unit)); \(row.rounds) rounds"
    }

    /// Where on this scale the budget lies, for budgets that speak of the ratio.
    private func mustRatio(_ row: Row) -> Double? {
        guard let budget = budgets.budget(for: row.key) else { return nil }
        switch budget.form {
        case .ratioAtLeast: return budget.must
        case .shareAtMost: return 1 / budget.must
        case .valueAtMost, .valueBelow, .valueAtLeast, .valueExactly: return nil
        }
    }

    /// The x of a power of ten; a value beyond the scale is drawn at its end.
    private func position(_ power: Double) -> Double {
        let clamped = min(max(power, -decades.below), decades.above)
        return labelWidth + (clamped + decades.below) / (decades.below + decades.above) * plotWidth
    }

    private func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(format: "%.1f", number)
    }
}
