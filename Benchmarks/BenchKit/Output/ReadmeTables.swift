// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The tables of README.md: a choice of a run's rows, in the words of those who use a scheduler.
package enum ReadmeTables {
    private struct Table {
        let heading: String
        let rival: String
        /// A line per row: its words, and the row's key.
        let lines: [(work: String, key: String)]

        init(_ heading: String, _ rival: String, _ lines: String) {
            self.heading = heading
            self.rival = rival
            self.lines = lines.split(separator: "\n").map { line in
                let parts = line.components(separatedBy: " = ")
                return (parts[0], parts[1])
            }
        }
    }

    /// The line before the tables in a file, and the one behind them.
    package static let marks = Marks(
        "<!-- figures: swivel-bench page -->", "<!-- figures end -->")

    private static let tables = [
        // Timer sources and queues written by hand, with nothing of Swivel's around them.
        Table(
            "work", "pure Dispatch",
            """
            arm and cancel, 100,000 others armed = schedule-cancel / 100k / cpu / DispatchSource
            cancel a random one of 100,000, arm another = churn / 100k, random / cpu / DispatchSource
            arm from two other threads, cancel 1,024 arms later = \
            cross-thread / 1,024 later, 2 producers / cpu / DispatchSource
            post, a flood of a million from two threads = \
            post / flood of a million, 2 producers / cpu / DispatchQueue
            post, batches of 100 and a wait = post / batches of 100 / cpu / DispatchQueue
            post, one and a wait = post / one and wait / cpu / DispatchQueue
            post and reply between two loops, a processor each, median = \
            round-trip / a processor each / p50 / DispatchQueue
            the same on one processor = round-trip / one processor / p50 / DispatchQueue
            lateness of a timer, idle machine, median = lateness / idle machine / p50 / DispatchSource
            the same next to 4 busy processes = lateness / 4 busy processes / p50 / DispatchSource
            100,000 exact fires per second, CPU per fire = spread / exact / cpu / DispatchSource
            the same with 1 ms of leeway = spread / 1 ms leeway / cpu / DispatchSource
            10,000 intervals of 10 ms, exact: ticks = intervals / 10k, exact / ticks / DispatchSource
            the same: share of a core = intervals / 10k, exact / core / DispatchSource
            debounce, one call of a `Coalescer`, two callers = \
            debounce / coalescer, two callers / cpu / DispatchSource
            debounce, one call of `once("id")` = debounce / once / cpu / DispatchSource
            memory of an outstanding timer = memory / 100k / bytes / DispatchSource
            """),
        Table(
            "blocking waits back to back, wall-clock time", "a queue and a semaphore",
            ["a processor each", "one processor"].map { place in
                """
                the main thread waits for `submit { }`, \(place) = \
                wait / submit, \(place), main thread / wall / DispatchQueue
                a plain thread, the same, \(place) = \
                wait / submit, \(place), plain thread / wall / DispatchQueue
                the main thread waits for `Async { }`, \(place) = \
                wait / Async, \(place), main thread / wall / DispatchQueue
                the main thread, `<<~loop ~~~ { }`, \(place) = \
                wait / operator, \(place), main thread / wall / DispatchQueue
                """
            }.joined(separator: "\n")),
        Table(
            "waits with a gap before each", "`execute` and a semaphore on the same loop",
            ["50 µs", "1 ms", "5 ms"].flatMap { gap in
                ["main thread", "plain thread"].map {
                    "every \(gap), \($0) = "
                        + "wait / submit, every \(gap), unpinned, \($0) / wall / execute + semaphore"
                }
            }.joined(separator: "\n")),
        Table(
            "work", "Swift's own tasks",
            """
            a promise and 10 maps = future-chain / 10 maps / cpu / Swift Task
            a call from actor to actor on one loop = \
            actor-hop / actor to actor, same loop / cpu / default executor
            an hour's sleep, cancelled = clock-sleep / on the loop / cpu / Task.sleep
            memory left by such a sleep = cancelled-sleeps / on the loop / left / Task.sleep
            """),
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
