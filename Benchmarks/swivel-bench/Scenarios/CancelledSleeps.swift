// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// Sleeps of an hour that were cancelled, a thousand at a time: the memory that they leave behind.
enum CancelledSleeps: Scenario {
    static let name = "cancelled-sleeps"
    static let summary = "private memory left by one-hour sleeps that were cancelled"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(1_000_000, quick: 100_000)
        // Fewer of those which hold memory for the rest of the hour: the memory of each counts.
        let few = 10_000
        return [("on the loop", true), ("from the pool", false)].map { variant, isOnLoop in
            Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try ClockSleep.sleeps(onLoop: isOnLoop) { try $0.memoryLeft(count: count) }
                },
                rivals: [
                    Side(RivalName.task, [.left]) {
                        try SwiftTasks.sleeps.memoryLeft(count: few)
                    }
                ], leavesTimersBehind: true)
        }
    }
}
