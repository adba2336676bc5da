// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// Calls to actors that live on a loop.
enum ActorHop: Scenario {
    static let name = "actor-hop"
    static let summary = "call an actor on a loop, from another actor, a task, a loop, the pool"

    static func contests(_ plan: Plan) -> [Contest] {
        let near = plan.choose(1_000_000, quick: 200_000)
        let far = plan.choose(20_000, quick: 5_000)
        let rival = RivalName.executor
        let hops = Side(rival, [.cpu, .wall]) { try DefaultExecutor.hops(near) }
        let calls = Side(rival, [.cpu, .wall]) { try DefaultExecutor.calls(near) }
        return [
            Contest(
                name, "actor to actor, same loop",
                subject: Side(Loop.sideName) {
                    try Resident.withLoops(1) {
                        try Resident.hops(near, from: $0[0], to: $0[0])
                    }
                }, rivals: [hops], weight: 3),
            Contest(
                name, "task to actor, same loop",
                subject: Side(Loop.sideName) {
                    try Resident.withLoops(1) {
                        try Resident.calls(near, from: $0[0].taskExecutor, to: $0[0])
                    }
                }, rivals: [calls]),
            // These change the thread twice a call; the default executor's actors stay where they
            // are called.
            Contest(
                name, "loop to loop",
                subject: Side(Loop.sideName) {
                    try Resident.withLoops(2) { try Resident.hops(far, from: $0[0], to: $0[1]) }
                }, rivals: [hops]),
            Contest(
                name, "pool to loop",
                subject: Side(Loop.sideName) {
                    try Resident.withLoops(1) { try Resident.calls(far, from: nil, to: $0[0]) }
                }, rivals: [calls]),
        ]
    }
}
