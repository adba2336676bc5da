// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Many repeating timers: whether each tick happens, what it costs, and whether the grid holds.
enum Intervals: Scenario {
    static let name = "intervals"
    static let summary = "10k timers that tick every 10 ms"

    static func contests(_ plan: Plan) -> [Contest] {
        [("10k, exact", 0), ("10k, 1 ms leeway", 1_000_000)].map { variant, leeway in
            let shape = IntervalShape(
                count: 10_000, interval: 10_000_000, ticks: plan.choose(100, quick: 20))
            var rivals = [
                Side(RivalName.source, [.ticks, .core, .drift]) {
                    try TimerSources.intervals(shape, leeway: leeway)
                }
            ]
            #if NIO
            rivals.append(
                Side(RivalName.nio, [.ticks, .core]) {
                    try NIOLoop.intervals(shape, leeway: leeway)
                })
            #endif
            return Contest(
                name, variant,
                subject: Side(Loop.name) { try Loop.intervals(shape, leeway: leeway) },
                rivals: plan.isQuick ? Array(rivals.prefix(1)) : rivals,
                reason: "a tick that is missed costs nothing; Swivel delivers them")
        }
    }
}

extension TickingContender {
    static func intervals(_ shape: IntervalShape, leeway: Int) throws -> Measurement {
        var farthest = 0
        var closing = Measurement()
        let perTimer = UInt64(max(1_000, 4 * pairCost(outstanding: 0)))
        let lead = 30_000_000 + UInt64(shape.count) * perTimer
        var measurement = try shape.measure(lead: lead) {
            let field = try Field<Self>(outstanding: 0)
            let handles = Kept<Repeating>(shape.count)
            // Every hundredth timer watches its own grid.
            let grids = (0..<shape.count / 100).map { _ in Grid() }
            return (
                arm: { begin, places in
                    field.turns.run {
                        arm(field.context, handles, grids, shape, leeway, begin, places)
                    }
                },
                close: {
                    let cancelled = Tally()
                    field.turns.run {
                        handles.forEach {
                            if field.context.stop($0) { cancelled.cell.pointee += 1 }
                        }
                        handles.removeAll()
                    }
                    try closing.check("cancelled", cancelled.value, is: shape.count)
                    try field.close(&closing)
                    farthest = grids.map(\.farthest).max() ?? 0
                }
            )
        }
        measurement[.drift] = Double(farthest)
        return measurement
    }

    private static func arm(
        _ context: Self, _ handles: Kept<Repeating>, _ grids: [Grid], _ shape: IntervalShape,
        _ leeway: Int, _ begin: UInt64, _ places: Places
    ) {
        for index in 0..<shape.count {
            let grid = index.isMultiple(of: 100) ? grids[index / 100] : nil
            let first = Int(begin) + shape.phase(index) - Int(Clocks.wall())
            handles.append(
                context.every(shape.interval, startingAfter: first, leeway: leeway) { start in
                    places.cells[index] &+= 1
                    if let start { grid?.note(start) }
                })
        }
    }
}

/// Watches that each tick's instant is its first plus its index times the interval.
private final class Grid: @unchecked Sendable {
    // `@unchecked` because only its timer's closures write, and the rest reads afterwards.
    private(set) var farthest = 0
    private var origin: Int?

    func note(_ start: Int) {
        farthest = max(farthest, abs(start - (origin ?? start)))
        if origin == nil { origin = start }
    }
}
