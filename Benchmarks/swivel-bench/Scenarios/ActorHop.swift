// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// Calls to actors that live on a loop. Between threads they share one processor: with one each,
/// only the time of a wake-up would be measured.
enum ActorHop: Scenario {
    static let name = "actor-hop"
    static let summary = "call an actor on a loop, from another actor there and from the pool"

    static func contests(_ plan: Plan) -> [Contest] {
        let near = plan.choose(1_000_000, quick: 100_000)
        let far = plan.choose(20_000, quick: 4_000)
        let threads = "two changes of thread per call, where the rival has none"
        let hops = Side(RivalName.executor, [.cpu, .wall]) { try SwiftTasks.hops(near) }
        return [
            Contest(
                name, "actor to actor, same loop",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) {
                        try Resident.hops(near, from: $0[0], to: $0[0])
                    }
                }, rivals: [hops] + nio(near)),
            Contest(
                name, "pool to loop",
                subject: Side(Loop.name) {
                    try Resident.withLoops(1) { try Resident.calls(far, to: $0[0]) }
                },
                rivals: [
                    Side(RivalName.queueExecutor, [.cpu, .wall]) { try DispatchQueues.calls(far) },
                    Side(RivalName.executor, [.cpu, .wall], reason: threads) {
                        try SwiftTasks.calls(near)
                    },
                ]),
        ]
    }

    private static func nio(_ count: Int) -> [Side] {
        #if NIO
        return [Side(RivalName.nio, [.cpu, .wall]) { try NIOResident.hops(count) }]
        #else
        return []
        #endif
    }
}
