// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// Sleeps of an hour on a loop's clock, which are cancelled: what a timeout of a task costs.
enum ClockSleep: Scenario {
    static let name = "clock-sleep"
    static let summary = "spawn a task that sleeps an hour on a loop's clock, and cancel it"

    static func contests(_ plan: Plan) -> [Contest] {
        let batches = plan.choose(100, quick: 20)
        let few = plan.choose(20, quick: 5)
        let places = [("on the loop", true), ("from the pool", false)]
        return places.map { variant, isOnLoop in
            Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try sleeps(onLoop: isOnLoop) { try $0.measure(batches: batches) }
                },
                rivals: [
                    Side(RivalName.task, [.cpu, .wall]) {
                        try SwiftTasks.sleeps.measure(batches: few)
                    }
                ], leavesTimersBehind: true)
        }
    }

    /// Measures on a fresh loop, whose clock the sleeps are on, and in whose tasks or the pool's.
    static func sleeps(
        onLoop: Bool, _ measure: (SleepPairs) throws -> Measurement
    ) throws -> Measurement {
        try Resident.withLoops(1) { loops in
            let loop = loops[0]
            let pairs = SleepPairs(on: onLoop ? loop.taskExecutor : nil) {
                try await loop.clock.sleep(for: .seconds(3_600))
            }
            var measurement = try measure(pairs)
            let pending = Awaited.run(on: loop.taskExecutor) { loop.metrics.pending }
            try measurement.check("pending", pending, is: 0)
            return measurement
        }
    }
}
