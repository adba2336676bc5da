// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// An SVG picture that knows where its texts are, so that a test can tell whether one is clipped.
struct Canvas {
    /// A text in the picture, in the picture's own units.
    struct Label: Equatable {
        enum Anchor: String { case start, middle, end }

        var text: String
        var x: Double
        var y: Double
        var size: Double
        var anchor: Anchor

        /// Where it begins and ends. No browser is asked: sans-serif letters are 0.62 of their size
        /// wide at most, on average over a label.
        var extent: ClosedRange<Double> {
            let width = 0.62 * size * Double(text.count)
            switch anchor {
            case .start: return x...(x + width)
            case .middle: return (x - width / 2)...(x + width / 2)
            case .end: return (x - width)...x
            }
        }
    }

    let width: Double
    let height: Double
    let description: String
    private(set) var labels: [Label] = []
    private var body = ""

    init(width: Double, height: Double, description: String) {
        self.width = width
        self.height = height
        self.description = description
    }

    /// Labels that leave the picture.
    var clipped: [Label] {
        labels.filter {
            $0.extent.lowerBound < 0 || $0.extent.upperBound > width || $0.y > height
                || $0.y < $0.size
        }
    }

    mutating func text(
        _ text: String, x: Double, y: Double, size: Double = 11, anchor: Label.Anchor,
        kind: String
    ) {
        labels.append(Label(text: text, x: x, y: y, size: size, anchor: anchor))
        body += """
            <text class="\(kind)" x="\(Self.number(x))" y="\(Self.number(y))" \
            font-size="\(Self.number(size))" text-anchor="\(anchor.rawValue)">\
            \(HTML.escaped(text))</text>

            """
    }

    mutating func line(from: (x: Double, y: Double), to: (x: Double, y: Double), kind: String) {
        body += """
            <line class="\(kind)" x1="\(Self.number(from.x))" y1="\(Self.number(from.y))" \
            x2="\(Self.number(to.x))" y2="\(Self.number(to.y))"/>

            """
    }

    mutating func path(_ points: [(x: Double, y: Double)], kind: String) {
        let steps = points.enumerated().map { index, point in
            "\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))"
        }
        body += "<path class=\"\(kind)\" d=\"\(steps.joined())\"/>\n"
    }

    mutating func dot(x: Double, y: Double, kind: String, title: String) {
        body += """
            <circle class="\(kind)" cx="\(Self.number(x))" cy="\(Self.number(y))" r="2.6">\
            <title>\(HTML.escaped(title))</title></circle>

            """
    }

    var svg: String {
        """
        <svg viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
        aria-label="\(HTML.escaped(description))">
        \(body)</svg>

        """
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
    }
}
