// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// Millions of timeouts of an hour that were cancelled: the memory that they leave behind.
enum CancelledTimeouts: Scenario {
    static let name = "cancelled-timeouts"
    static let summary = "growth of private memory left by 1M and 10M cancelled one-hour timeouts"

    static func contests(_ plan: Plan) -> [Contest] {
        [
            contest("1M, on the loop", 1_000_000, elsewhere: false),
            contest("1M, from another thread", 1_000_000, elsewhere: true),
        ] + plan.choose([contest("10M, on the loop", 10_000_000, elsewhere: false)], quick: [])
    }

    private static func contest(_ variant: String, _ count: Int, elsewhere: Bool) -> Contest {
        let timeouts = Timeouts.ofAnHour(elsewhere: elsewhere)
        return Contest(
            name, variant, subject: Side(Loop.name) { try Loop.memory(count, of: timeouts) },
            rivals: LineUp.timers.only(RivalName.source, RivalName.nio).sides([.growth]) {
                try $0.memory(8_000, of: timeouts)
            }, reason: "a loop keeps some empty pages for its next timers")
    }
}
