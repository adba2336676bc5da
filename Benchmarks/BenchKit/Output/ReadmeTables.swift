// SPDX-License-Identifier: Apache-2.0
/// The figures of README.md, and the longer table of docs/PERFORMANCE.md.
package enum ReadmeTables {
    /// The lines around the figures of README.md, and around the table of docs/PERFORMANCE.md.
    package static let readme = Marks("<!-- figures: swivel-bench page -->", "<!-- figures end -->")
    package static let tables = Marks("<!-- tables: swivel-bench page -->", "<!-- tables end -->")

    /// Five capabilities next to Dispatch and NIO, each in the shape in which Swivel gains least,
    /// and the three largest losses. Throws if the run lacks one of the rivals.
    package static func figures(_ report: Report) throws -> String {
        let rivals = [[RivalName.source, RivalName.queue], [RivalName.nio]]
        var lines = ["| work, in its worse shape | Swivel | Dispatch | NIO |", "|---|--:|--:|--:|"]
        for capability in Capability.all where capability.isOfFive {
            let rows = capability.worst(in: report).filter { rivals.joined().contains($0.rival) }
            let worst = rows.min { ($0.ratio ?? .infinity) < ($1.ratio ?? .infinity) }
            guard let worst else { throw BenchFailure("no rows of \(capability.scenario)") }
            let cells = try rivals.map { names in
                let keys = names.map { Row.key(worst.scenario, worst.variant, worst.metric, $0) }
                guard let row = report.rows.first(where: { keys.contains($0.key) })
                else { throw BenchFailure("no row of \(keys)") }
                return "\(Figures.brief(row.rivalMedian, row)), \(Figures.comparison(row))"
            }
            let own = Figures.brief(worst.subjectMedian, worst)
            let work = "\(capability.title) (\(worst.variant))"
            lines.append("| \(work) | \(own) | \(cells.joined(separator: " | ")) |")
        }
        lines += ["", "The largest losses of the same run:", ""]
        lines += Tables.largestLosses(report).map { "- \($0.what): \($0.why)." }
        return lines.joined(separator: "\n")
    }

    /// Every shape of every capability, next to the rival that short tables name.
    package static func table(_ report: Report) -> String {
        let lines = Capability.all.flatMap { capability in
            capability.shapes(in: report).map { row in
                let cells = [
                    capability.title, row.variant, Figures.brief(row.subjectMedian, row), row.rival,
                    Figures.brief(row.rivalMedian, row), Figures.comparison(row),
                ]
                return "| \(cells.joined(separator: " | ")) |"
            }
        }
        let head = ["| work | shape | Swivel | next to | | Swivel |", "|---|---|--:|---|--:|--:|"]
        return (head + lines).joined(separator: "\n")
    }
}
