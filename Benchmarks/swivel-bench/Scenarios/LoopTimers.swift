// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// A `LoopTimer`, made once and armed again and again: what C code does with a `uv_timer_t`.
enum LoopTimers: Scenario {
    static let name = "loop-timer"
    static let summary = "arm and disarm one LoopTimer on its own loop"

    static func contests(_ plan: Plan) -> [Contest] {
        plan.choose([("1k", 1_000), ("100k", 100_000)], quick: [("100k", 100_000)]).map {
            variant, outstanding in
            let turns = 200
            return Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try armAndDisarm(outstanding: outstanding, turns: turns)
                },
                rivals: [
                    Side(RivalName.libuv, [.wall]) {
                        try RawUV.pairs(
                            outstanding: outstanding, operations: turns * Turns.operations)
                    }
                ])
        }
    }

    private static func armAndDisarm(outstanding: Int, turns: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: outstanding)
        let (fired, armed, delays) = (Tally(), Tally(), Delays.far)
        let timer = LoopTimer(on: field.context) { fired.cell.pointee &+= 1 }
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                timer.arm(after: delays.durations[index & delays.mask])
                timer.disarm()
            }
            armed.cell.pointee += Turns.operations
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check("armed", armed.value, is: (turns + 1) * Turns.operations)
        try measurement.check("fired", fired.value, is: 0)
        try field.close(&measurement)
        return measurement
    }
}
