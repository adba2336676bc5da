// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// One of many timers cancelled and another armed in its place: what a server's timeouts do, cache
/// misses included.
enum Churn: Scenario {
    static let name = "churn"
    static let summary =
        "cancel a random one, or the oldest, of the outstanding timers and arm another"

    static func contests(_ plan: Plan) -> [Contest] {
        [("100k, random", true), ("100k, first in first out", false)].map {
            contest($0, 100_000, Picks(below: 100_000, isRandom: $1), plan)
        }
    }

    private static func contest(
        _ variant: String, _ outstanding: Int, _ picks: Picks, _ plan: Plan
    ) -> Contest {
        let turns = plan.choose(200, quick: 60)
        let time = plan.choose(60_000_000, quick: 15_000_000)
        // Armed in order, the timers lie in memory as they lie in the heap or the wheel. Churn puts
        // an end to that: it is measured after as many operations as there are timers, if those take
        // less than a second.
        let warmUp = plan.choose(3, quick: 1) * outstanding / Turns.operations
        let libuv = Side(
            RivalName.libuv, [.wall],
            reason: "three cache misses in a row: handle, node, closure; libuv has no closure"
        ) {
            try RawUV.churn(
                outstanding: outstanding, warmUp: warmUp * Turns.operations,
                operations: turns * Turns.operations, picks: picks)
        }
        let rivals = LineUp.timers.sides([.cpu, .wall], beside: outstanding) {
            let turns = $0.turns(outstanding: outstanding, in: time)
            let isFast = $0.pairCost(outstanding: outstanding) * warmUp <= 1_000_000
            return try $0.churn(
                outstanding: outstanding, warmUp: isFast ? warmUp : turns > 1 ? 1 : 0,
                turns: turns, picks: picks)
        }
        let children = ChildRival.sides([.cpu, .wall]) {
            try $0.churn(
                outstanding: outstanding, warmUp: warmUp * Turns.operations,
                operations: turns * Turns.operations)
        }
        return Contest(
            name, variant,
            subject: Side(Loop.name) {
                try Loop.churn(outstanding: outstanding, warmUp: warmUp, turns: turns, picks: picks)
            }, rivals: rivals + [libuv] + (variant.hasSuffix("random") ? children : []))
    }
}

extension TimerContender {
    static func churn(
        outstanding: Int, warmUp: Int, turns: Int, picks: Picks
    ) throws -> Measurement {
        let field = try Field<Self>(outstanding: outstanding)
        let (context, delays) = (field.context, Delays.far)
        // `nonisolated(unsafe)` because only the field's own closures use its handles.
        nonisolated(unsafe) let handles = field.handles
        let (fired, replaced) = (field.fired, Tally())
        let span = field.turns.time(warmUp: warmUp, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                let place = Int(picks.indices[index & picks.mask])
                if context.cancel(handles[place]) { replaced.cell.pointee += 1 }
                handles[place] = context.after(delays[index]) {
                    // `index` is captured for its weight: the sum stays a count of firings.
                    fired.cell.pointee &+= index < 0 ? 2 : 1
                }
            }
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        let all = (turns + warmUp) * Turns.operations
        if !answers { try measurement.check("replaced", replaced.value, is: all) }
        // One that had fired was not there to be cancelled; it still got a successor.
        try field.close(&measurement, added: all - replaced.value)
        return measurement
    }
}
