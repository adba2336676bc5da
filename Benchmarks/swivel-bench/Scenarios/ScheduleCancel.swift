// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// A timer armed and cancelled on its own loop, with others standing by.
enum ScheduleCancel: Scenario {
    static let name = "schedule-cancel"
    static let summary = "arm a timer with a capturing closure and cancel it, on its own loop"

    static func contests(_ plan: Plan) -> [Contest] {
        let time = plan.choose(60_000_000, quick: 18_000_000)
        return [("1k", 1_000), ("100k", 100_000)].map { variant, outstanding in
            let libuv = Side(RivalName.libuv, [.wall]) {
                try RawUV.pairs(outstanding: outstanding, operations: 200 * Turns.operations)
            }
            let rivals = LineUp.timers.sides([.cpu, .wall], beside: outstanding) {
                try $0.pairs(
                    outstanding: outstanding, turns: $0.turns(outstanding: outstanding, in: time))
            }
            let children = ChildRival.sides([.cpu, .wall]) {
                try $0.pairs(outstanding: outstanding, operations: 100 * Turns.operations)
            }
            return Contest(
                name, variant, subject: swivel(outstanding), rivals: rivals + [libuv] + children)
        } + [million]
    }

    /// How flat the cost is.
    private static let million = Contest(
        name, "1M", subject: swivel(1_000_000),
        rivals: [
            Side(RivalName.swivelAt1k, [.wall]) {
                try Loop.pairs(outstanding: 1_000, turns: 200)
            }
        ], reason: "a million timers do not fit into the processor's caches")

    private static func swivel(_ outstanding: Int) -> Side {
        Side(Loop.name) { try LineUp.subject.pairs(outstanding: outstanding, turns: 200) }
    }
}

extension TimerContender {
    static func pairs(outstanding: Int, turns: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: outstanding)
        let context = field.context
        let (fired, cancelled, delays) = (Tally(), Tally(), Delays.far)
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            let first = turn * Turns.operations
            var count = 0
            for index in first..<(first + Turns.operations) {
                let handle = context.after(delays[index]) { fired.cell.pointee &+= index | 1 }
                if context.cancel(handle) { count += 1 }
            }
            cancelled.cell.pointee += count
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check(
            "cancelled", cancelled.value, is: (turns + 1) * Turns.operations)
        try measurement.check("fired", fired.value, is: 0)
        try field.close(&measurement)
        return measurement
    }
}
