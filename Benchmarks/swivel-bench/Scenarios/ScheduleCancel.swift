// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A timer armed and cancelled on its own loop, with others standing by.
enum ScheduleCancel: Scenario {
    static let name = "schedule-cancel"
    static let summary = "arm a timer with a capturing closure and cancel it, on its own loop"

    static func contests(_ plan: Plan) -> [Contest] {
        [("1k", 1_000), ("100k", 100_000)].flatMap { variant, outstanding in
            let subject = swivel(outstanding)
            return [
                Contest(
                    name, variant, subject: subject, rivals: dispatch(outstanding, plan)),
                Contest(
                    name, variant, subject: subject, rivals: [libuv(outstanding)],
                    weight: 3),
            ]
        } + million(plan) + [keepers(plan)]
    }

    /// At a million: how flat the cost is. Arming as many sources takes Dispatch too long for a
    /// quick run.
    private static func million(_ plan: Plan) -> [Contest] {
        let outstanding = 1_000_000
        let flat = Contest(
            name, "1M", subject: swivel(outstanding),
            rivals: [
                Side(RivalName.swivelAt1k, [.wall]) {
                    try pairs(Loop.self, outstanding: 1_000, turns: 200)
                }
            ])
        let others = Contest(
            name, "1M", subject: swivel(outstanding),
            rivals: [libuv(outstanding)] + dispatch(outstanding, plan))
        return plan.choose([flat, others], quick: [flat])
    }

    /// The rivals that keep a cancelled timer until its deadline.
    private static func keepers(_ plan: Plan) -> Contest {
        Contest(
            name, "1k", subject: swivel(1_000),
            rivals: [
                Side(RivalName.asyncAfter, [.cpu, .wall]) {
                    try DispatchTimers.asyncAfterPairs(outstanding: 1_000, turns: 1)
                },
                Side(RivalName.task, [.cpu]) {
                    try TaskSleeps.pairs(count: Turns.operations)
                },
            ], leavesTimersBehind: true)
    }

    private static func swivel(_ outstanding: Int) -> Side {
        Side(Loop.sideName) { try pairs(Loop.self, outstanding: outstanding, turns: 200) }
    }

    private static func libuv(_ outstanding: Int) -> Side {
        Side(RivalName.libuv, [.wall]) {
            try RawUV.pairs(outstanding: outstanding, operations: 200 * Turns.operations)
        }
    }

    private static func dispatch(_ outstanding: Int, _ plan: Plan) -> [Side] {
        let turns = plan.choose(20, quick: 6)
        return [
            Side(RivalName.backend, [.cpu, .wall]) {
                try pairs(DispatchBackend.self, outstanding: outstanding, turns: turns)
            },
            Side(RivalName.source, [.cpu, .wall]) {
                try DispatchTimers.pairs(outstanding: outstanding, turns: turns)
            },
        ]
    }

    private static func pairs<Context: Contender>(
        _: Context.Type, outstanding: Int, turns: Int
    ) throws -> Measurement {
        let field = try Field<Context>(outstanding: outstanding)
        let context = field.context
        let (fired, cancelled, delays) = (Tally(), Tally(), Delays.far)
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            let first = turn * Turns.operations
            var count = 0
            for index in first..<(first + Turns.operations) {
                let handle = context.after(delays.durations[index & delays.mask]) {
                    fired.cell.pointee &+= index | 1
                }
                if handle.cancel() == .cancelled { count += 1 }
            }
            cancelled.cell.pointee += count
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check("cancelled", cancelled.value, is: (turns + 1) * Turns.operations)
        try measurement.check("fired", fired.value, is: 0)
        try field.close(&measurement)
        return measurement
    }
}
