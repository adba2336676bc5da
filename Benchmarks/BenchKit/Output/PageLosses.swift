// SPDX-License-Identifier: Apache-2.0

/// Every row in which Swivel is worse, the worst work first, with its reason where one is known.
enum PageLosses {
    /// The rows of one work beside one rival.
    private struct Loss {
        var rows: [Row]

        var title: String { "\(rows[0].scenario), \(rows[0].variant), beside \(rows[0].rival)" }
    }

    static func html(_ report: Report) -> String {
        let losses = grouped(report.losses)
        guard !losses.isEmpty else { return "" }
        let items = losses.map { item($0, report.reasons) }
        return """
            <section>
            <h2 id="losses">Where Swivel is worse</h2>
            <ul class="losses">\(items.joined(separator: "\n"))</ul>
            </section>

            """
    }

    /// In the order of the rows, which is that of each work's worst.
    private static func grouped(_ rows: [Row]) -> [Loss] {
        var losses: [Loss] = []
        var places: [[String]: Int] = [:]
        for row in rows {
            let work = [row.scenario, row.variant, row.rival]
            if let place = places[work] {
                losses[place].rows.append(row)
            } else {
                places[work] = losses.count
                losses.append(Loss(rows: [row]))
            }
        }
        return losses
    }

    private static func item(_ loss: Loss, _ reasons: [String: String]) -> String {
        let figures = loss.rows.map { row in
            let values = [row.subjectMedian, row.rivalMedian]
                .map { Figures.value($0, unit: row.unit) }.joined(separator: " to ")
            return "\(row.metric) \(values), \(Figures.ratio(row.ratio))"
        }
        let reason = loss.rows.compactMap { reasons[$0.key] }.first ?? "no reason is known"
        return """
            <li><b>\(HTML.escaped(Figures.ratio(loss.rows[0].ratio)))</b><span>\
            \(HTML.escaped(loss.title))<small>\(HTML.escaped(figures.joined(separator: "; ")))\
            </small><small>\(HTML.escaped(reason))</small></span></li>
            """
    }
}
