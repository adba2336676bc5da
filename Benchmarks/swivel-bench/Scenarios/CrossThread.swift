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
            // As many on each side.
            let each = plan.isBrief ? 40_000 : plan.choose(200_000, quick: 100_000)
            return Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try Loop.pairsFromThreads(producers, each: each)
                },
                rivals: LineUp.timers.filter { $0.takesThreads }.sides([.cpu, .wall]) {
                    try $0.pairsFromThreads(producers, each: each)
                }
                    + ChildRival.sides([.cpu, .wall], except: [.libev], reasons: reasons) {
                        try $0.pairsFromThreads(producers, each: each)
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
        let work: @Sendable (Int, Int) -> Void = { producer, count in
            var cancels: UInt32 = 0
            for index in 0..<count {
                let handle = context.after(delays[index]) { fired.cell.pointee &+= index | 1 }
                if context.cancel(handle) { cancels += 1 }
            }
            cancelled.cells[producer] += cancels
        }
        let warmUp = each / 10
        let span = Producers.time(
            producers, warmUp: { work($0, warmUp) }, { work($0, each) },
            drained: { field.turns.run {} })
        var measurement = Measurement(span, operations: producers * each)
        try measurement.check(
            "cancelled", cancelled.sum(cappedAt: warmUp + each), is: producers * (warmUp + each))
        try measurement.check("fired", fired.value, is: 0)
        try field.close(&measurement)
        return measurement
    }
}
