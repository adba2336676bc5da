// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Pictures of a report, as SVG whose colours are the classes of ``style(isDark:)``.
package enum Chart {
    /// A bar per capability and rival, of its worse shape: to the right if Swivel is better.
    ///
    /// - Parameter width: in points; below 600 each title has a line of its own.
    package static func bars(
        _ report: Report, width: Double, _ isShown: (Row) -> Bool = { _ in true }
    ) -> String {
        let groups = Capability.all.map { ($0.title, $0.worst(in: report).filter(isShown)) }
        let least = groups.flatMap(\.1).compactMap(\.finiteRatio).min() ?? 1
        let isNarrow = width < 600
        let scale = Scale(
            left: isNarrow ? 130 : 336, right: width - (isNarrow ? 114 : 122),
            low: min(-1, max(-3, log10(least).rounded(.down))))
        var parts: [String] = []
        var y = 50.0
        for (title, rows) in groups where !rows.isEmpty {
            parts.append(text(0, y + 16, title, isNarrow ? "title" : ""))
            y += isNarrow ? 19 : 4
            for row in rows {
                parts.append(text(isNarrow ? 4 : 206, y + 12, row.rival, "faint"))
                parts.append(scale.bar(row, y + 3))
                parts.append(text(scale.right + 6, y + 12, Figures.comparison(row)))
                y += 15
            }
        }
        return svg(width, y + 6, scale.axis(bottom: y + 4, isNarrow) + parts)
    }

    /// The bars as a file of its own: the rivals that short tables name, and NIO.
    package static func file(_ report: Report, isDark: Bool) -> String {
        let main = Set(Capability.all.compactMap { $0.main(in: report)?.key })
        let bars = bars(report, width: 760) { main.contains($0.key) || $0.rival == RivalName.nio }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\""
            + bars.dropFirst(4)
            .replacing("\n", with: "<style>\(style(isDark: isDark))</style>\n", maxReplacements: 1)
    }

    /// The place of ratios, logarithmic: from ten to the power of `low` to a thousand.
    private struct Scale {
        let left: Double
        let right: Double
        let low: Double

        func place(_ decade: Double) -> Double {
            left + (right - left) * (min(3, max(low, decade)) - low) / (3 - low)
        }

        func bar(_ row: Row, _ y: Double) -> String {
            if row.outcome == .equal { return "" }
            // Without a ratio the bar is an outline as long as the scale.
            let end = place(row.finiteRatio.map(log10) ?? (row.outcome == .worse ? low : 3))
            let kind = row.outcome.rawValue + (row.finiteRatio == nil ? " outline" : "")
            return "<rect class=\"\(kind)\" x=\"\(n(min(end, place(0))))\" y=\"\(n(y))\" "
                + "width=\"\(n(max(1, abs(end - place(0)))))\" height=\"11\"/>"
        }

        func axis(bottom: Double, _ isNarrow: Bool) -> [String] {
            let lines = stride(from: low, through: 3, by: 1).map { decade -> String in
                let isLabelled = !isNarrow || decade.remainder(dividingBy: 2) == 0
                let label = isLabelled ? Figures.short(pow(10, abs(decade))) + "×" : ""
                let kind = decade == 0 ? "one" : "grid"
                return text(place(decade), 44, label, "faint middle")
                    + "<path class=\"\(kind)\" d=\"M\(n(place(decade))) 48V\(n(bottom))\"/>"
            }
            return lines + [
                text(0, 12, "Times better or worse, logarithmic (lines: ×10)", "faint"),
                text(place(0) - 6, 28, "← Swivel is worse", "bad end"),
                text(place(0) + 6, 28, "Swivel is better →", "good"),
            ]
        }
    }

    static func svg(_ width: Double, _ height: Double, _ parts: [String]) -> String {
        "<svg role=\"img\" width=\"\(n(width))\" height=\"\(n(height))\" "
            + "viewBox=\"0 0 \(n(width)) \(n(height))\">\n\(parts.joined(separator: "\n"))\n</svg>"
    }

    static func text(_ x: Double, _ y: Double, _ words: String, _ kind: String = "") -> String {
        "<text class=\"\(kind)\" x=\"\(n(x))\" y=\"\(n(y))\">\(HTML.escaped(words))</text>"
    }

    static func n(_ value: Double) -> String { Figures.short((value * 10).rounded() / 10) }

    /// The colours and fonts of the pictures.
    static func style(isDark: Bool) -> String {
        let (ink, faint, line, better, worse) =
            isDark
            ? ("#f5f5f7", "#a1a1a6", "#48484a", "#4cd07d", "#ff7b72")
            : ("#1d1d1f", "#63636a", "#d2d2d7", "#1e7b34", "#c9302c")
        return """
            svg text{font:12px system-ui,-apple-system,Helvetica,DejaVu Sans,sans-serif;fill:\(ink)}
            svg .faint{fill:\(faint)} svg .title{font-weight:600} svg .end{text-anchor:end}
            svg .middle{text-anchor:middle} svg .grid{stroke:\(line)} svg .one{stroke:\(faint)}
            svg .better{fill:\(better);stroke:\(better)} svg .good{fill:\(better)}
            svg .worse{fill:\(worse);stroke:\(worse)} svg .bad{fill:\(worse)}
            svg .outline{fill:none}
            """
    }
}
