// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// Many repeating timers: whether each tick happens, what it costs, and whether the grid holds.
enum Intervals: Scenario {
    static let name = "intervals"
    static let summary = "1k and 10k timers that tick every 10 ms"

    static func contests(_ plan: Plan) -> [Contest] {
        let leeways = [("exact", 0), ("1 ms leeway", 1_000_000)]
        let sizes = plan.choose([("1k", 1_000)], quick: []) + [("10k", 10_000)]
        return sizes.flatMap { size, count in
            leeways.map { kind, leeway in
                contest("\(size), \(kind)", count, leeway, plan)
            }
        }
    }

    private static func contest(
        _ variant: String, _ count: Int, _ leeway: Int, _ plan: Plan
    ) -> Contest {
        let shape = IntervalShape(
            count: count, interval: 10_000_000, ticks: plan.choose(200, quick: 20))
        var rivals = [
            Side(RivalName.backend, [.ticks, .core, .drift]) {
                try run(DispatchBackend.self, shape, leeway)
            }
        ]
        if !plan.isQuick {
            rivals += [
                Side(RivalName.source, [.ticks, .core]) {
                    try DispatchIntervals.run(shape, leeway: leeway)
                },
                Side(RivalName.libuv, [.ticks, .core]) { try RawUV.intervals(shape) },
            ]
        }
        return Contest(
            name, variant,
            subject: Side(Loop.sideName) { try run(Loop.self, shape, leeway) }, rivals: rivals)
    }

    private static func run<Context: Contender>(
        _: Context.Type, _ shape: IntervalShape, _ leeway: Int
    ) throws -> Measurement {
        let field = try Field<Context>(outstanding: 0)
        let places = Places(shape.count)
        let handles = Kept<TimerHandle>(shape.count)
        // Every hundredth timer watches its own grid.
        let grids = (0..<shape.count / 100).map { _ in Grid(shape.interval) }
        let begin = Clocks.wall() + shape.lead
        field.turns.run {
            for index in 0..<shape.count {
                let grid = index.isMultiple(of: 100) ? grids[index / 100] : nil
                let first = Int(begin) + shape.phase(index) - Int(Clocks.wall())
                handles.append(
                    field.context.every(
                        .nanoseconds(shape.interval), startingAfter: .nanoseconds(first),
                        leeway: .nanoseconds(leeway)
                    ) { tick in
                        places.cells[index] &+= 1
                        grid?.note(tick)
                    })
            }
        }
        let measure = shape.measure(from: begin, places)
        let cancelled = Tally()
        field.turns.run {
            handles.forEach { if $0.cancel() == .cancelled { cancelled.cell.pointee += 1 } }
        }
        Settle.untilIdle()
        var measurement = try measure()
        measurement[.drift] = Double(grids.map(\.farthest).max() ?? 0)
        try measurement.check("cancelled", cancelled.value, is: shape.count)
        try field.close(&measurement)
        return measurement
    }

    /// Watches that each tick's instant is its first plus its index times the interval.
    private final class Grid: @unchecked Sendable {
        // `@unchecked` because only its timer's closures write, and the rest reads afterwards.
        private(set) var farthest = 0
        private let interval: Int
        private var origin: Int?

        init(_ interval: Int) { self.interval = interval }

        func note(_ tick: Tick) {
            let start = Int(tick.scheduled.nanoseconds) - tick.index * interval
            farthest = max(farthest, abs(start - (origin ?? start)))
            if origin == nil { origin = start }
        }
    }
}
