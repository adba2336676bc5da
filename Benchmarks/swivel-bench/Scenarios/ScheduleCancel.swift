// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// A timer armed and cancelled on its own loop, with others standing by.
enum ScheduleCancel: Scenario {
    static let name = "schedule-cancel"
    static let summary = "arm a timer with a capturing closure and cancel it, on its own loop"

    static func contests(_ plan: Plan) -> [Contest] {
        [("1k", 1_000), ("100k", 100_000)].flatMap { variant, outstanding in
            [
                Contest(
                    name, variant, subject: swivel(outstanding),
                    rivals: rivals(outstanding, plan),
                    weight: outstanding > 1_000 ? 1 : plan.weight(3)),
                Contest(
                    name, variant, subject: swivel(outstanding),
                    rivals: [libuv(outstanding), core(outstanding)],
                    weight: plan.weight(3)),
            ]
        } + [million, keepers(plan)]
    }

    /// How flat the cost is. The curve has the rivals at a million.
    private static let million = Contest(
        name, "1M", subject: swivel(1_000_000),
        rivals: [
            Side(Yardstick.swivelAt1k, [.wall]) {
                try Loop.pairs(outstanding: 1_000, turns: 200)
            }
        ], reason: "a million timers do not fit into the processor's caches")

    /// The rivals that keep a cancelled timer until its deadline.
    private static func keepers(_ plan: Plan) -> Contest {
        Contest(
            name, "1k", subject: swivel(1_000),
            rivals: LineUp.keepers.sides([.cpu, .wall]) {
                try $0.pairs(outstanding: 1_000, turns: 1)
            }, leavesTimersBehind: true)
    }

    private static func swivel(_ outstanding: Int) -> Side {
        Side(Loop.name) { try LineUp.subject.pairs(outstanding: outstanding, turns: 200) }
    }

    private static func libuv(_ outstanding: Int) -> Side {
        Side(RivalName.libuv, [.wall]) {
            try RawUV.pairs(outstanding: outstanding, operations: 200 * Turns.operations)
        }
    }

    private static func core(_ outstanding: Int) -> Side {
        BareCore.side([.cpu, .wall]) {
            try BareCore.pairs(outstanding: outstanding, turns: 200)
        }
    }

    private static func rivals(_ outstanding: Int, _ plan: Plan) -> [Side] {
        let time = plan.choose(60_000_000, quick: 18_000_000)
        return LineUp.timers.sides([.cpu, .wall], beside: outstanding) {
            try $0.pairs(
                outstanding: outstanding, turns: $0.turns(outstanding: outstanding, in: time))
        }
            + ChildRival.sides([.cpu, .wall]) {
                try $0.pairs(outstanding: outstanding, operations: 100 * Turns.operations)
            }
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
