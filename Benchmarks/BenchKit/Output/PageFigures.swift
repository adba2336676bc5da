// SPDX-License-Identifier: Apache-2.0

/// All figures of a scenario as a table, behind its bars.
enum PageFigures {
    private static let heads = [
        "variant", "measure", "rival", "Swivel", "the rival", "Swivel is", "from … to", "must",
        "rounds", "why",
    ]

    static func table(_ rows: [Row], _ reasons: [String: String], _ budgets: Budgets) -> String {
        let lines = rows.map { row in
            [
                row.variant, row.metric, row.rival,
                whole(Figures.value(row.subjectMedian, unit: row.unit)),
                whole(Figures.value(row.rivalMedian, unit: row.unit)),
                whole(Figures.ratio(row.ratio)), interval(row),
                budgets.budget(for: row.key).map { whole(Figures.limit($0.form, $0.must)) } ?? "",
                String(row.rounds), reasons[row.key] ?? "",
            ]
        }
        return HTML.table(heads, lines)
    }

    /// "2.9× … 2.4×" where both ends are of one kind, "1.1× worse … 1.2× better" where not.
    private static func interval(_ row: Row) -> String {
        guard let low = row.low else { return "" }
        // An end that no number can express is not there.
        let ends = [Figures.ratio(low), Figures.ratio(row.high)]
        let parts = ends.map { $0.split(separator: " ") }
        guard parts.allSatisfy({ $0.count == 2 }), parts[0][1] == parts[1][1] else {
            return ends.map(whole).joined(separator: " … ")
        }
        return whole("\(parts[0][0]) … \(parts[1][0])")
    }

    /// A text that is not to be broken: its spaces are no-break spaces. A long one would make the
    /// table wider than its page.
    private static func whole(_ text: String) -> String {
        text.count > 14 ? text : String(text.map { $0 == " " ? "\u{A0}" : $0 })
    }
}
