// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A random one of many timers cancelled and another armed in its place: what a server's timeouts
/// do, cache misses included.
enum Churn: Scenario {
    static let name = "churn"
    static let summary = "cancel a random one of the outstanding timers and arm another"

    static func contests(_ plan: Plan) -> [Contest] {
        let sizes = plan.choose(
            [("1k", 1_000), ("100k", 100_000), ("1M", 1_000_000)], quick: [("100k", 100_000)])
        return sizes.flatMap { contests($0, $1, plan) }
    }

    private static func contests(
        _ variant: String, _ outstanding: Int, _ plan: Plan
    ) -> [Contest] {
        let picks = Picks(below: outstanding)
        let turns = plan.choose(200, quick: 60)
        let few = plan.choose(20, quick: 5)
        // Armed in order, the timers lie in memory as they lie in the heap or the wheel. Churn puts
        // an end to that: it is measured after several times as many operations as there are timers.
        // Dispatch may keep its good start; it would take seconds.
        let times = plan.choose(3, quick: 1)
        let warmUp = min(times * outstanding / Turns.operations + 1, 1_000)
        let dispatch = [
            Side(RivalName.backend, [.cpu, .wall]) {
                try churn(
                    DispatchBackend.self, outstanding: outstanding, warmUp: 1, turns: few,
                    picks: picks)
            },
            Side(RivalName.source, [.cpu, .wall]) {
                try DispatchTimers.churn(outstanding: outstanding, turns: few, picks: picks)
            },
        ]
        let libuv = Side(
            RivalName.libuv, [.wall],
            reason: "three cache misses in a row: handle, node, closure; libuv has no closure"
        ) {
            try RawUV.churn(
                outstanding: outstanding, warmUp: warmUp * Turns.operations,
                operations: turns * Turns.operations, picks: picks)
        }
        let subject = Side(Loop.sideName) {
            try churn(
                Loop.self, outstanding: outstanding, warmUp: warmUp, turns: turns, picks: picks)
        }
        return [
            Contest(name, variant, subject: subject, rivals: dispatch),
            Contest(
                name, variant, subject: subject, rivals: [libuv],
                weight: outstanding > 100_000 ? 1 : plan.choose(3, quick: 1)),
        ]
    }

    private static func churn<Context: Contender>(
        _: Context.Type, outstanding: Int, warmUp: Int, turns: Int, picks: Picks
    ) throws -> Measurement {
        let field = try Field<Context>(outstanding: outstanding)
        let (context, delays) = (field.context, Delays.far)
        // `nonisolated(unsafe)` because only the field's own closures use its handles.
        nonisolated(unsafe) let handles = field.handles
        let (fired, replaced) = (field.fired, Tally())
        let span = field.turns.time(warmUp: warmUp, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                let place = Int(picks.indices[index & picks.mask])
                if handles[place].cancel() == .cancelled { replaced.cell.pointee += 1 }
                handles[place] = context.after(delays.durations[index & delays.mask]) {
                    // `index` is captured for its weight: the sum stays a count of firings.
                    fired.cell.pointee &+= index < 0 ? 2 : 1
                }
            }
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        // One that had fired was not there to be cancelled; it still got a successor.
        try field.close(&measurement, added: (turns + warmUp) * Turns.operations - replaced.value)
        return measurement
    }
}
