// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// Sleeps of an hour that were cancelled, a thousand at a time: what they leave behind.
enum CancelledSleeps: Scenario {
    static let name = "cancelled-sleeps"
    static let summary = "private memory left by one-hour sleeps that were cancelled"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(1_000_000, quick: 100_000)
        // Few of those which hold memory for the rest of the hour: what each of them holds counts.
        let few = plan.choose(20_000, quick: 10_000)
        let places = [("on the loop", true), ("from the pool", false)]
        return places.map { variant, isOnLoop in
            Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try ClockSleep.sleeps(onLoop: isOnLoop) {
                        try $0.memoryLeft(count: count)
                    }
                },
                rivals: [
                    Side(RivalName.task, [.left]) {
                        try TaskSleeps.pairsOfAnHour.memoryLeft(count: few)
                    }
                ], leavesTimersBehind: true)
        }
    }
}
