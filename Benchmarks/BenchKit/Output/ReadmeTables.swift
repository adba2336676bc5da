// SPDX-License-Identifier: Apache-2.0

/// The tables of README.md: a choice of a run's rows, in the words of those who use a scheduler.
package enum ReadmeTables {
    private struct Table {
        let heading: String
        let rival: String
        let lines: [(work: String, key: String)]
    }

    /// The line before the tables in a file, and the one behind them.
    package static let marks = Marks(
        "<!-- figures: swivel-bench readme -->", "<!-- figures end -->")

    private static let tables = [
        // Timer sources and queues written by hand, with nothing of Swivel's around them.
        Table(
            heading: "work", rival: "pure Dispatch",
            lines: [
                (
                    "arm and cancel, 1,000 others armed",
                    "schedule-cancel / 1k / cpu / DispatchSource"
                ),
                (
                    "arm and cancel, 100,000 others armed",
                    "schedule-cancel / 100k / cpu / DispatchSource"
                ),
                (
                    "cancel a random one of 100,000 and arm another",
                    "churn / 100k / cpu / DispatchSource"
                ),
                (
                    "arm and cancel from another thread",
                    "cross-thread / 1 producer / cpu / DispatchSource"
                ),
                (
                    "post of a capturing closure",
                    "post / 1 producer, capturing / cpu / DispatchQueue"
                ),
                (
                    "post and reply between two idle loops, median",
                    "round-trip / idle machine / p50 / DispatchQueue"
                ),
                (
                    "lateness of a timer at light load, median",
                    "lateness / light load / p50 / DispatchSource"
                ),
                (
                    "100,000 exact fires a second, CPU a fire",
                    "spread / exact / cpu / DispatchSource"
                ),
                ("the same with 1 ms of leeway", "spread / 1 ms leeway / cpu / DispatchSource"),
                (
                    "10,000 intervals of 10 ms, exact: ticks delivered",
                    "intervals / 10k, exact / ticks / DispatchSource"
                ),
                ("the same: share of a core", "intervals / 10k, exact / core / DispatchSource"),
                (
                    "debounce, one call of a `Coalescer`",
                    "debounce / coalescer / cpu / DispatchSource"
                ),
                ("debounce, one call of `once(\"id\")`", "debounce / once / cpu / DispatchSource"),
                ("memory for an outstanding timer", "memory / 100k / bytes / DispatchSource"),
            ]),
        Table(
            heading: "blocking waits, back to back unless said, wall-clock time",
            rival: "a queue and a semaphore",
            lines: [
                (
                    "a plain thread waits for a loop, `submit { }.await()`",
                    "wait / submit, back to back, plain thread / wall / DispatchQueue"
                ),
                (
                    "the main thread, the same",
                    "wait / submit, back to back, main thread / wall / DispatchQueue"
                ),
                (
                    "another loop, the same",
                    "wait / submit, back to back, another loop / wall / DispatchQueue"
                ),
                (
                    "a plain thread waits for `Async { }.await()`",
                    "wait / Async, back to back, plain thread / wall / DispatchQueue"
                ),
                (
                    "a plain thread waits by an operator, `<<~loop ~~~ { }`",
                    "wait / operator, back to back, plain thread / wall / DispatchQueue"
                ),
                (
                    "a pool's worker, the same",
                    "wait / operator, back to back, pool's worker / wall / DispatchQueue"
                ),
                (
                    "the main thread waits for a loop beside one busy thread",
                    "wait / submit, one busy thread, main thread / wall / DispatchQueue"
                ),
                (
                    "the main thread waits for `Async` once every 2 ms",
                    "wait / Async, every 2 ms, main thread / wall / DispatchQueue"
                ),
            ]),
        Table(
            heading: "work", rival: "Swift's own tasks",
            lines: [
                ("a promise and 10 maps", "future-chain / 10 maps / cpu / Swift Task"),
                (
                    "a call from actor to actor on one loop",
                    "actor-hop / actor to actor, same loop / cpu / default executor"
                ),
                ("an hour's sleep, cancelled", "clock-sleep / on the loop / cpu / Task.sleep"),
                (
                    "memory left by such a sleep",
                    "cancelled-sleeps / on the loop / left / Task.sleep"
                ),
            ]),
    ]

    /// The rows that they show.
    package static var keys: [String] { tables.flatMap { $0.lines.map(\.key) } }

    /// The tables in Markdown. Throws if the run lacks a row of theirs.
    package static func markdown(_ report: Report) throws -> String {
        try tables.map { table in
            let lines = try table.lines.map { line in
                guard let row = report.row(line.key) else {
                    throw BenchFailure("the run has no row '\(line.key)'")
                }
                return "| \(line.work) | \(value(row.subjectMedian, row)) "
                    + "| \(value(row.rivalMedian, row)) | \(ratio(row)) |"
            }
            let head = ["| \(table.heading) | Swivel | \(table.rival) | |", "|---|--:|--:|--:|"]
            return (head + lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// A figure without what it is a figure of: the line says that.
    private static func value(_ value: Double, _ row: Row) -> String {
        let unit = row.unit.prefix { $0 != "/" }
        return Figures.value(value, unit: unit.hasPrefix("%") ? "%" : String(unit))
    }

    private static func ratio(_ row: Row) -> String {
        guard let ratio = row.ratio, ratio != 0, ratio != 1 else { return "" }
        return "\(Figures.short(ratio)) ×"
    }
}
