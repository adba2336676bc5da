// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Elapsed times at a few places, a line per side, on a logarithmic axis.
struct Curve {
    let title: String
    let scenario: String
    let metric: String
    /// The variants from left to right, and their labels.
    let places: KeyValuePairs<String, String>

    static let all = [
        Curve(
            title: "Arm and cancel a timer, by outstanding timers", scenario: "schedule-cancel",
            metric: "wall", places: ["1k": "1,000", "100k": "100,000", "1M": "1,000,000"]),
        late("Lateness, the median, by busy processes", "p50"),
        late("Lateness, 1 in 100, by busy processes", "p99"),
    ]

    private static func late(_ title: String, _ metric: String) -> Curve {
        let busy: KeyValuePairs = [
            "idle machine": "0", "1 busy process": "1", "2 busy processes": "2",
            "4 busy processes": "4",
        ]
        return Curve(title: title, scenario: "lateness", metric: metric, places: busy)
    }

    /// The picture; empty if the report has none of its rows.
    func svg(_ report: Report) -> String {
        let lines = lines(report)
        let values = lines.flatMap { $0.points.map(\.value) }.filter { $0 > 0 }
        guard let least = values.min(), let most = values.max() else { return "" }
        let (low, high) = (log10(least).rounded(.down), log10(most).rounded(.down) + 1)
        func x(_ place: Int) -> Double { 80 + 240 * Double(place) / Double(places.count - 1) }
        func y(_ value: Double) -> Double {
            190 - 160 * (max(log10(value), low) - low) / (high - low)
        }
        var parts = [Chart.text(0, 14, title, "title")]
        let step = high - low > 6 ? 2.0 : 1
        for value in stride(from: low, through: high, by: step).map({ pow(10, $0) }) {
            let label = Figures.value(value, unit: "ns")
            parts.append(Chart.text(52, y(value) + 4, label, "faint end"))
            parts.append("<path class=\"grid\" d=\"M58 \(Chart.n(y(value)))H350\"/>")
        }
        for (place, label) in places.map(\.value).enumerated() {
            parts.append(Chart.text(x(place), 208, label, "faint middle"))
        }
        for (number, line) in lines.enumerated() {
            let kind = "class=\"l\(number)\""
            let points = line.points.map { (Chart.n(x($0.place)), Chart.n(y($0.value))) }
            let path = points.map { "\($0),\($1)" }.joined(separator: " ")
            let (left, top) = (Double(number % 3) * 118, 230 + Double(number / 3) * 16)
            parts.append("<polyline \(kind) points=\"\(path)\"/>")
            parts += (points + [(Chart.n(left + 5), Chart.n(top - 4))]).map {
                "<circle \(kind) cx=\"\($0)\" cy=\"\($1)\" r=\"3.5\"/>"
            }
            parts.append(Chart.text(left + 12, top, line.name))
        }
        return Chart.svg(356, 236 + Double((lines.count - 1) / 3) * 16, parts)
    }

    private typealias Point = (place: Int, value: Double)

    /// Swivel's line, and a line per rival.
    private func lines(_ report: Report) -> [(name: String, points: [Point])] {
        let rows = report.rows.filter { $0.scenario == scenario && $0.metric == metric }
        let rivals = rows.map(\.rival).unique.filter { $0 != RivalName.swivelAt1k }
        return (["Swivel"] + rivals).map { name in
            let points = places.map(\.key).enumerated().compactMap { place, variant -> Point? in
                let shape = rows.filter { $0.variant == variant }
                if name == "Swivel" { return shape.first.map { (place, $0.subjectMedian) } }
                return shape.first { $0.rival == name }.map { (place, $0.rivalMedian) }
            }
            return (name, points)
        }
    }

    /// Swivel's blue, and as many other colours as there are rivals.
    static func style(isDark: Bool) -> String {
        (0..<9).map { number in
            let color = "hsl(\(210 + 45 * number) 75% \(isDark ? 66 : 38)%)"
            return "svg .l\(number){fill:\(color)} svg polyline.l\(number){fill:none;"
                + "stroke:\(color);stroke-width:\(number == 0 ? 3 : 1.5)}\n"
        }.joined()
    }
}
