// SPDX-License-Identifier: Apache-2.0
/// Something that users of a scheduler do, and its place in a report. Its shapes are the variants
/// of the scenario, of which the worse one is shown first.
package struct Capability: Sendable {
    package let title: String
    package let scenario: String
    /// The first of these that a contest has is compared.
    private let metrics: [String]
    /// The rival that short tables name.
    private let rival: String
    /// Whether it is among the ten of the terminal, and among the five of README.md.
    package let isOfTen: Bool
    package let isOfFive: Bool

    private init(_ line: Substring) {
        let parts = line.split(separator: " | ").map(String.init)
        (title, scenario, rival) = (parts[0], parts[1], parts[3])
        metrics = parts[2].split(separator: ",").map(String.init)
        (isOfTen, isOfFive) = (parts.count > 4, parts.last == "five")
    }

    package static let all = """
        arm and cancel a timer | schedule-cancel | cpu,wall | DispatchSource | five
        replace one of 100,000 timers | churn | cpu,wall | DispatchSource | five
        arm and cancel elsewhere | cross-thread | cpu,wall | DispatchSource | five
        arm and disarm a LoopTimer | loop-timer | wall | libuv
        fire 100,000 due timers | burst | wall | libuv
        100,000 fires per second | spread | cpu | DispatchSource
        lateness of a timer, median | lateness | p50 | DispatchSource | five
        lateness of a timer, 1 in 100 | lateness | p99 | DispatchSource | ten
        10,000 intervals: ticks | intervals | ticks | DispatchSource
        10,000 intervals: a core's time | intervals | core | DispatchSource
        debounce a call | debounce | cpu | DispatchSource | ten
        move an idle timeout | idle-timeout | cpu | DispatchBackend
        post a closure | post | cpu | DispatchQueue | five
        post and reply, median | round-trip | p50 | DispatchQueue | ten
        post and reply, 1 in 100 | round-trip | p99 | DispatchQueue
        wait for a value: elapsed | wait | wall | DispatchQueue | ten
        wait for a value: processor | wait | cpu | DispatchQueue
        32 closures that block | pool | wall | DispatchQueue
        read a watched socket | watched-event | cpu | libuv
        a promise with maps | future-chain | cpu | Swift Task
        make and run a job | job | cpu | Swift Task
        call an actor on a loop | actor-hop | cpu | default executor
        sleep in a task, and cancel | clock-sleep | cpu | Task.sleep
        advance virtual time | virtual-time | wall | default executor
        processor time when idle | idle | core | DispatchQueue
        memory of a timer | memory | bytes | DispatchSource | ten
        left by cancelled timeouts | cancelled-timeouts | growth | DispatchSource
        left by cancelled sleeps | cancelled-sleeps | left | Task.sleep
        calls to the allocator | allocations | allocations | DispatchSource
        """.split(separator: "\n").map(Capability.init)

    /// The worse shape next to each rival.
    package func worst(in report: Report) -> [Row] {
        let rows = rows(in: report)
        return rows.map(\.rival).unique.compactMap { rival in
            rows.filter { $0.rival == rival }.min { $0.rank < $1.rank }
        }
    }

    /// The worse shape next to the rival of short tables, or to the first if that took no part.
    package func main(in report: Report) -> Row? {
        let rows = worst(in: report)
        return rows.first { $0.rival == rival } ?? rows.first
    }

    /// Every shape, next to the rival of short tables or the last.
    package func shapes(in report: Report) -> [Row] {
        let rows = rows(in: report)
        return rows.map(\.variant).unique.compactMap { variant in
            let shape = rows.filter { $0.variant == variant }
            return shape.first { $0.rival == rival } ?? shape.last
        }
    }

    /// A row for each shape and rival. Swivel next to itself is no such row.
    private func rows(in report: Report) -> [Row] {
        let all = report.rows.filter { $0.scenario == scenario && $0.rival != RivalName.swivelAt1k }
        return all.filter { row in
            let contest = all.filter { ($0.variant, $0.rival) == (row.variant, row.rival) }
            return row.metric == metrics.first { contest.map(\.metric).contains($0) }
        }
    }
}

extension Row {
    /// Lower is worse for Swivel. A row without a ratio lies between losses and wins.
    fileprivate var rank: Double { finiteRatio ?? (outcome == .worse ? 0.999 : 1.001) }
}

extension Sequence where Element: Hashable {
    /// The elements at their first places.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
