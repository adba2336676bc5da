// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// Timers armed and cancelled by other threads than the loop's.
enum CrossThread: Scenario {
    static let name = "cross-thread"
    static let summary =
        "arm a timer from other threads than its loop's, and cancel it at once or some arms later"

    static func contests(_ plan: Plan) -> [Contest] {
        [("at once", 0), ("64 later", 64), ("1,024 later", 1_024)].flatMap { variant, delay in
            [1, 2].map { producers in
                let each = plan.choose(200_000, quick: 20_000)
                return Contest(
                    name, "\(variant), \(producers == 1 ? "1 producer" : "2 producers")",
                    subject: Side(Loop.name) {
                        try Loop.pairsFromThreads(producers, each: each, delay: delay)
                    },
                    rivals: LineUp.timers.forThreads.sides([.cpu, .wall]) {
                        try $0.pairsFromThreads(producers, each: each, delay: delay)
                    })
            }
        }
    }
}

extension TimerContender {
    /// - Parameter delay: how many timers a thread arms before it cancels the first of them.
    static func pairsFromThreads(_ producers: Int, each: Int, delay: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: 1_000)
        let context = field.context
        let (fired, delays) = (Tally(), Delays.far)
        let cancelled = Places(producers)
        let work: @Sendable (Int, Int) -> Void = { producer, count in
            var cancels: UInt32 = 0
            if delay == 0 {
                for index in 0..<count {
                    let handle = context.after(delays[index]) { fired.cell.pointee &+= index | 1 }
                    if context.cancel(handle) { cancels += 1 }
                }
            } else {
                var armed: [Handle] = []
                armed.reserveCapacity(delay)
                for index in 0..<count {
                    let handle = context.after(delays[index]) { fired.cell.pointee &+= index | 1 }
                    if index < delay {
                        armed.append(handle)
                    } else {
                        if context.cancel(armed[index % delay]) { cancels += 1 }
                        armed[index % delay] = handle
                    }
                }
                for handle in armed where context.cancel(handle) { cancels += 1 }
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
