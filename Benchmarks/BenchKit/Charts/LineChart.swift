// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A curve as lines, one for each contender: cost against what grows, or a distribution by its
/// percentiles. Both axes are logarithmic; that of percentiles is so in the share that is later.
struct LineChart {
    /// As wide as a phone's column, so that nothing has to shrink there.
    private static let size = (width: 360.0, height: 238.0)
    private static let margin = (left: 52.0, right: 24.0, top: 12.0, bottom: 38.0)
    /// The contender whose line is bold.
    private static let subject = "Swivel"

    let curve: Curve

    init(_ curve: Curve) { self.curve = curve }

    func canvas() -> Canvas {
        var canvas = Canvas(
            width: Self.size.width, height: Self.size.height, description: curve.summary)
        let points = curve.series.flatMap(\.points)
        // Of the medians: one round that went wrong would press all lines together. A whisker that
        // is longer ends at the chart's edge.
        let vertical = LogScale(holding: points.map { max($0.y, 1) })
        let xs = Array(Set(points.map(\.x))).sorted()
        guard let first = xs.first, let last = xs.last else { return canvas }
        drawVertical(vertical, &canvas)
        drawHorizontal(xs, first, last, &canvas)
        // Swivel last, above the others.
        let all = curve.series.indices
        for index in all.filter({ !isSubject($0) }) + all.filter(isSubject) {
            draw(index, vertical, first, last, &canvas)
        }
        return canvas
    }

    /// Draws a contender's line.
    private func draw(
        _ index: Int, _ vertical: LogScale, _ first: Double, _ last: Double,
        _ canvas: inout Canvas
    ) {
        let series = curve.series[index]
        let places = series.points.map { point in
            (x: place(point.x, first, last), y: height(vertical.place(max(point.y, 1))))
        }
        for (point, place) in zip(series.points, places) where point.low < point.high {
            canvas.line(
                from: (place.x, height(vertical.place(max(point.low, 1)))),
                to: (place.x, height(vertical.place(max(point.high, 1)))),
                kind: "whisker \(look(index))")
        }
        canvas.path(places, kind: "line \(look(index))")
        for (point, place) in zip(series.points, places) {
            let value = Figures.value(point.y, unit: curve.unit)
            canvas.dot(
                x: place.x, y: place.y, kind: "dot \(look(index))",
                title: "\(series.name), \(tick(point.x)): \(value)")
        }
    }

    private func isSubject(_ index: Int) -> Bool { curve.series[index].name == Self.subject }

    /// The lines' names.
    func legend() -> String {
        let items = curve.series.enumerated().map { index, series in
            "<li><i class=\"\(look(index))\"></i>\(HTML.escaped(series.name))</li>"
        }
        return "<ul class=\"legend\">\(items.joined())</ul>"
    }

    /// The classes of a line's parts. Swivel's is nobody else's, even where Swivel has no line.
    /// Once the colours are used up they come again, dashed.
    private func look(_ index: Int) -> String {
        guard !isSubject(index) else { return "s0" }
        let rank = (0..<index).count { !isSubject($0) }
        let (round, color) = rank.quotientAndRemainder(dividingBy: PageStyle.colors)
        return "s\(color + 1)" + (round > 0 ? " again" : "")
    }

    private func drawVertical(_ scale: LogScale, _ canvas: inout Canvas) {
        let right = Self.size.width - Self.margin.right
        for value in scale.ticks(atMost: 6) {
            let y = height(scale.place(value))
            canvas.line(from: (Self.margin.left, y), to: (right, y), kind: "grid")
            canvas.text(
                Figures.value(value, unit: "ns"), x: Self.margin.left - 6, y: y + 4,
                anchor: .end, kind: "tick")
        }
    }

    private func drawHorizontal(
        _ xs: [Double], _ first: Double, _ last: Double, _ canvas: inout Canvas
    ) {
        let bottom = Self.size.height - Self.margin.bottom
        var free = -Double.infinity
        for x in xs {
            let place = place(x, first, last)
            let text = tick(x)
            let half = 0.31 * 11 * Double(text.count)
            // A label that would touch the one before it is left out; its line stays.
            canvas.line(from: (place, bottom), to: (place, bottom + 4), kind: "grid")
            let isNamed = curve.axis != .percentile || [10, 50, 90, 99, 99.9].contains(x)
            guard isNamed, place - half > free else { continue }
            canvas.text(text, x: place, y: bottom + 18, anchor: .middle, kind: "tick")
            free = place + half + 4
        }
        let name =
            switch curve.axis {
            case .outstanding: "timers that stand by"
            case .producers: "threads"
            case .percentile: "percentile"
            }
        canvas.text(
            name, x: (Self.margin.left + Self.size.width - Self.margin.right) / 2,
            y: Self.size.height - 4, anchor: .middle, kind: "tick")
    }

    private func place(_ x: Double, _ first: Double, _ last: Double) -> Double {
        let from = position(first)
        let share = first == last ? 0.5 : (position(x) - from) / (position(last) - from)
        return Self.margin.left + share
            * (Self.size.width - Self.margin.left - Self.margin.right)
    }

    private func height(_ share: Double) -> Double {
        let bottom = Self.size.height - Self.margin.bottom
        return bottom - share * (bottom - Self.margin.top)
    }

    private func position(_ x: Double) -> Double {
        curve.axis == .percentile ? -log10(1 - x / 100) : log10(max(x, 1))
    }

    private func tick(_ x: Double) -> String {
        switch curve.axis {
        case .percentile: "\(Figures.short(x)) %"
        case .producers: Figures.short(x)
        case .outstanding: Figures.count(x)
        }
    }
}
