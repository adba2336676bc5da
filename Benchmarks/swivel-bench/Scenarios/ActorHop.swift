// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// Calls to actors that live on a loop.
enum ActorHop: Scenario {
    static let name = "actor-hop"
    static let summary = "call an actor on a loop, from another actor, a task, a loop, the pool"

    static func contests(_ plan: Plan) -> [Contest] {
        let near = plan.choose(1_000_000, quick: 100_000)
        let far = plan.isBrief ? 4_000 : 20_000
        let rival = RivalName.executor
        let hops = Side(rival, [.cpu, .wall]) { try DefaultExecutor.hops(near) }
        let calls = Side(rival, [.cpu, .wall]) { try DefaultExecutor.calls(near) }
        return [
            Contest(
                name, "actor to actor, same loop",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) {
                        try Resident.hops(near, from: $0[0], to: $0[0])
                    }
                }, rivals: [hops] + onOneLoop(near), weight: plan.weight(3)),
            Contest(
                name, "task to actor, same loop",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) {
                        try Resident.calls(near, from: $0[0].taskExecutor, to: $0[0])
                    }
                }, rivals: [calls],
                reason: """
                    two jobs a call, there and back, and each looks for the task's preferred executor \
                    under the runtime's lock; the rival's actor is entered in place
                    """),
            Contest(
                name, "loop to loop",
                subject: Side(Loop.name) {
                    try Resident.withLoops(2) { try Resident.hops(far, from: $0[0], to: $0[1]) }
                }, rivals: [hops], reason: threads),
            Contest(
                name, "pool to loop",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) { try Resident.calls(far, from: nil, to: $0[0]) }
                },
                rivals: [
                    Side(RivalName.queueExecutor, [.cpu, .wall]) { try QueueExecutor.calls(far) },
                    Side(rival, [.cpu, .wall], reason: threads) {
                        try DefaultExecutor.calls(near)
                    },
                ]),
        ] + allocations()
    }

    private static func onOneLoop(_ count: Int) -> [Side] {
        #if NIO
        return [
            Side(
                RivalName.nio, [.cpu, .wall],
                reason: "both are the runtime's two switches, and nothing of either library"
            ) { try NIOResident.hops(count) }
        ]
        #else
        return []
        #endif
    }

    private static let threads =
        "two changes of thread a call, which is what is asked for; the rival stays on its thread"

    private static func allocations() -> [Contest] {
        guard Allocations.areCounted else { return [] }
        return [
            Contest(
                name, "allocations, task to actor",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) { loops in
                        try Visits.allocations(10_000) {
                            try Resident.calls($0, from: loops[0].taskExecutor, to: loops[0])
                        }
                    }
                },
                rivals: [
                    Side(RivalName.executor, [.allocations]) {
                        try Visits.allocations(10_000) { try DefaultExecutor.calls($0) }
                    }
                ])
        ]
    }
}
