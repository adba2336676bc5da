// SPDX-License-Identifier: Apache-2.0

extension Timeline {
    /// A row of the picture: one step, or what happened when time moved.
    private struct Row {
        let time: Int64
        var marks: [Int: Character] = [:]
    }

    private static let legend =
        "● runs  ■ ends  z sleeps  + is made  ▸ may go on  ☼ wakes  ✕ cancelled"

    /// The latest events as a picture: time goes down, and each task that takes part has a column.
    func picture(_ names: [String], rows: Int = 40, columns: Int = 9) -> String {
        let drawn = self.rows(names).suffix(rows)
        let taking = Set(drawn.flatMap(\.marks.keys)).sorted()
        let shown = taking.suffix(columns)
        let titles = shown.map { String(names[$0].prefix(14)) }
        let widths = titles.map { $0.count + 2 }
        let margin = (drawn.map { Self.text($0.time).count }.max() ?? 0) + 2
        var alive = Set<Int>()
        var lines = [
            Self.column("", margin)
                + zip(titles, widths).map { Self.column($0, $1) }.joined()
        ]
        for row in drawn {
            var line = Self.column(Self.text(row.time), margin)
            for (member, width) in zip(shown, widths) {
                let mark = row.marks[member]
                line += Self.column(String(mark ?? (alive.contains(member) ? "│" : " ")), width)
                switch mark {
                case nil: break
                case "■": alive.remove(member)
                default: alive.insert(member)
                }
            }
            while line.hasSuffix(" ") { line.removeLast() }
            lines.append(line)
        }
        if taking.count > shown.count {
            lines.append("(\(taking.count - shown.count) earlier tasks are not shown)")
        }
        return (lines + [Self.legend]).joined(separator: "\n")
    }

    private func rows(_ names: [String]) -> [Row] {
        var rows: [Row] = []
        for event in events {
            if event.kind == .runs || rows.last?.time != event.time {
                rows.append(Row(time: event.time))
            }
            guard let mark = meaning(of: event, names).mark else { continue }
            let row = rows.count - 1
            // That it wakes says more than that it may go on.
            if mark == "▸", rows[row].marks[event.member] == "☼" { continue }
            rows[row].marks[event.member] = mark
        }
        return rows
    }
}
