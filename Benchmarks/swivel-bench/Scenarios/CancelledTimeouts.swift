// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Millions of timeouts of an hour that were cancelled: what they leave behind.
enum CancelledTimeouts: Scenario {
    static let name = "cancelled-timeouts"
    static let summary = "growth of private memory left by 1M and 10M cancelled one-hour timeouts"

    static func contests(_ plan: Plan) -> [Contest] {
        let places = [("on the loop", false), ("from another thread", true)]
        let many = plan.choose(100_000, quick: 8_000)
        // Few of those which hold memory for the rest of the hour: the share is what counts.
        let few = 20_000
        let rivals = places.map { variant, elsewhere in
            let timeouts = Timeouts.ofAnHour(elsewhere: elsewhere)
            return contest(
                variant, timeouts,
                LineUp.timers.filter { !elsewhere || $0.takesThreads }.sides([.growth]) {
                    try $0.memory($0.canCancelAll(many) ? many : 8_000, of: timeouts)
                })
        }
        // One after the other: what these keep lies scattered, with holes that would make the
        // other's growth look less than it is.
        let elsewhere = Timeouts.ofAnHour(elsewhere: true)
        let keepers =
            LineUp.keepers.sides([.growth]) { try $0.memory(few, of: elsewhere) }
            + [Side(RivalName.task, [.growth]) { try TaskSleeps.cancelledTimeouts(few) }]
        let onTheLoop = Timeouts.ofAnHour(elsewhere: false)
        let backend = Side(RivalName.backend, [.growth]) {
            try DispatchBackend.memory(few, of: onTheLoop)
        }
        let most = contest("10M, on the loop", onTheLoop, [backend], count: 10_000_000)
        return rivals + (plan.isBrief ? [] : [most])
            + keepers.map {
                // Fewer where the rival is the news.
                contest(
                    "from another thread", elsewhere, [$0], count: 100_000,
                    leavesTimersBehind: true)
            }
    }

    private static func contest(
        _ variant: String, _ timeouts: Timeouts, _ rivals: [Side], count: Int = 1_000_000,
        leavesTimersBehind: Bool = false
    ) -> Contest {
        Contest(
            name, variant, subject: Side(Loop.name) { try Loop.memory(count, of: timeouts) },
            rivals: rivals, leavesTimersBehind: leavesTimersBehind,
            reason: "a loop keeps some empty pages for its next timers")
    }
}
