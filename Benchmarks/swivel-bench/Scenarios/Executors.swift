// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// The cost of a task that runs on a loop.
enum Executors: Scenario {
    static let name = "executor"
    static let summary = "yield on an executor, and spawn tasks there from a plain thread"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(200_000, quick: 25_000)
        return [
            Contest(
                name, "yield",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) {
                        try TaskSteps.yields(count, on: $0[0].taskExecutor)
                    }
                },
                rivals: [
                    Side(RivalName.executor, [.cpu, .wall]) {
                        try TaskSteps.yields(count, on: nil)
                    }
                ]),
            Contest(
                name, "spawn from outside",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) {
                        try TaskSteps.spawns(count, on: $0[0].taskExecutor)
                    }
                },
                rivals: [
                    Side(RivalName.executor, [.cpu, .wall]) {
                        try TaskSteps.spawns(count, on: nil)
                    }
                ]),
        ]
    }
}
