// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Timers armed and cancelled by other threads than the loop's.
enum CrossThread: Scenario {
    static let name = "cross-thread"
    static let summary = "arm a timer and cancel it, from other threads than its loop's"

    static func contests(_ plan: Plan) -> [Contest] {
        [("1 producer", 1), ("2 producers", 2)].map { variant, producers in
            let each = plan.choose(200_000, quick: 100_000)
            let few = plan.choose(20_000, quick: 8_000)
            return Contest(
                name, variant,
                subject: Side(Loop.sideName) {
                    try pairs(Loop.self, producers: producers, each: each)
                },
                rivals: [
                    Side(RivalName.backend, [.cpu, .wall]) {
                        try pairs(DispatchBackend.self, producers: producers, each: few)
                    },
                    Side(RivalName.source, [.cpu, .wall]) {
                        try DispatchTimers.fromThreads(producers, each: few, outstanding: 1_000)
                    },
                ])
        }
    }

    private static func pairs<Context: Contender>(
        _: Context.Type, producers: Int, each: Int
    ) throws -> Measurement {
        let field = try Field<Context>(outstanding: 1_000)
        let context = field.context
        let (fired, delays) = (Tally(), Delays.far)
        let cancelled = Places(producers)
        let span = Producers.time(producers) { producer in
            var count: UInt32 = 0
            for index in 0..<each {
                let handle = context.after(delays.durations[index & delays.mask]) {
                    fired.cell.pointee &+= index | 1
                }
                if handle.cancel() == .cancelled { count += 1 }
            }
            cancelled.cells[producer] = count
        } drained: {
            field.turns.run {}
        }
        var measurement = Measurement(span, operations: producers * each)
        try measurement.check(
            "cancelled", cancelled.sum(cappedAt: each), is: producers * each)
        try measurement.check("fired", fired.value, is: 0)
        try field.close(&measurement)
        return measurement
    }
}
