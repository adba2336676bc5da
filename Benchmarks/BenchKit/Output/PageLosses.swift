// SPDX-License-Identifier: Apache-2.0

/// Every row in which Swivel is worse, none of them a click away: a block for each scenario and
/// reason, the worst first, and in it a line for each work beside each rival.
enum PageLosses {
    /// The losses of one scenario that have the same reason.
    private struct Block {
        let scenario: String
        let reason: String
        /// The worst first.
        var rows: [Row]
    }

    static func html(_ report: Report) -> String {
        let losses = report.losses
        guard !losses.isEmpty else { return "" }
        let items = blocks(losses, report.reasons).map(item)
        return """
            <section>
            <h2 id="losses">Where Swivel is worse</h2>
            <p>Every such row, \(losses.count) in all, by scenario and reason, the worst first. The
            values are among the scenario’s figures.</p>
            <ul class="losses">
            \(items.joined(separator: "\n"))
            </ul>
            </section>

            """
    }

    private static func blocks(_ rows: [Row], _ reasons: [String: String]) -> [Block] {
        grouped(rows) { [$0.scenario, reasons[$0.key] ?? "no reason is known"] }.map { key, rows in
            Block(scenario: key[0], reason: key[1], rows: rows)
        }
    }

    private static func item(_ block: Block) -> String {
        let works = grouped(block.rows) { [$0.variant, $0.rival] }.map { work, rows in
            let figures = rows.map(figure).joined(separator: ", ")
            return "<li>\(HTML.escaped("\(work[0]), beside \(work[1]): \(figures)"))</li>"
        }
        let name = HTML.escaped(block.scenario)
        return """
            <li><b>\(HTML.escaped(range(block.rows)))</b> <a href="#\(name)">\(name)</a>
            <p>\(HTML.escaped(block.reason))</p>
            <ul>\(works.joined(separator: "\n"))</ul></li>
            """
    }

    /// A measure and its figure, between which no line ends. A loss that no number can express has
    /// its values too.
    private static func figure(_ row: Row) -> String {
        let text = "\(row.metric)\u{A0}\(factor(row))"
        guard row.ratio == 0 else { return text }
        let values = [row.subjectMedian, row.rivalMedian]
            .map { Figures.value($0, unit: row.unit) }
        return "\(text) (\(values.joined(separator: " to ")))"
    }

    /// The rows that have a key in common, in the order in which the keys come first.
    private static func grouped(
        _ rows: [Row], by key: (Row) -> [String]
    ) -> [(key: [String], rows: [Row])] {
        var groups: [(key: [String], rows: [Row])] = []
        var places: [[String]: Int] = [:]
        for row in rows {
            let name = key(row)
            if let place = places[name] {
                groups[place].rows.append(row)
            } else {
                places[name] = groups.count
                groups.append((name, [row]))
            }
        }
        return groups
    }

    /// "3.5× to 1.1× worse", of rows that are in order.
    private static func range(_ rows: [Row]) -> String {
        let ends = [rows.first, rows.last].compactMap { $0.map(factor) }
        return (ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")) + " worse"
    }

    /// "3.5×", of "3.5× worse".
    private static func factor(_ row: Row) -> String {
        String(Figures.ratio(row.ratio).prefix { $0 != " " })
    }
}
