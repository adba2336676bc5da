// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// Timers armed and cancelled by other threads than the loop's.
enum CrossThread: Scenario {
    private static let reasons = [
        RivalName.go: "a timer lies in a heap of the processor that armed it; no loop hears of it",
        RivalName.tokio: "a lock guards its wheel, and with one producer nobody else wants it",
    ]

    static let name = "cross-thread"
    static let summary = "arm a timer and cancel it, from other threads than its loop's"

    static func contests(_ plan: Plan) -> [Contest] {
        [("1 producer", 1), ("2 producers", 2)].map { variant, producers in
            let each = plan.choose(200_000, quick: 100_000)
            let few = 20_000
            return Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try Loop.pairsFromThreads(producers, each: each)
                },
                rivals: LineUp.timers.filter { $0.takesThreads }.sides([.cpu, .wall]) {
                    try $0.pairsFromThreads(producers, each: few)
                }
                    + ChildRival.sides([.cpu, .wall], except: [.libev], reasons: reasons) {
                        try $0.pairsFromThreads(producers, each: few)
                    })
        }
    }
}

extension TimerContender {
    static func pairsFromThreads(_ producers: Int, each: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: 1_000)
        let context = field.context
        let (fired, delays) = (Tally(), Delays.far)
        let cancelled = Places(producers)
        let span = Producers.time(producers) { producer in
            var count: UInt32 = 0
            for index in 0..<each {
                let handle = context.after(delays[index]) { fired.cell.pointee &+= index | 1 }
                if context.cancel(handle) { count += 1 }
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
