// SPDX-License-Identifier: Apache-2.0

/// Every row in which Swivel is worse, the worst first, with its reason where one is known.
enum PageLosses {
    /// Those that are seen at once; the others are one click away.
    private static let shown = 12

    static func html(_ report: Report) -> String {
        let losses = report.losses
        guard !losses.isEmpty else { return "" }
        let rest = losses.dropFirst(shown)
        let more =
            rest.isEmpty
            ? "" : HTML.details("\(rest.count) smaller losses", list(report, Array(rest)))
        return """
            <section>
            <h2 id="losses">Where Swivel is worse</h2>
            \(list(report, Array(losses.prefix(shown))))
            \(more)</section>

            """
    }

    private static func list(_ report: Report, _ rows: [Row]) -> String {
        let items = rows.map { row in
            let figures = [(row.subject, row.subjectMedian), (row.rival, row.rivalMedian)]
                .map { "\($0) \(Figures.value($1, unit: row.unit))" }.joined(separator: ", ")
            let reason = figures + ": " + (report.reasons[row.key] ?? "no reason is known")
            return """
                <li><b>\(HTML.escaped(Figures.ratio(row.ratio)))</b><span>\
                \(HTML.escaped("\(row.scenario), \(row.variant): \(row.metric) than \(row.rival)"))\
                <small>\(HTML.escaped(reason))</small></span></li>
                """
        }
        return "<ul class=\"losses\">\(items.joined(separator: "\n"))</ul>"
    }
}
