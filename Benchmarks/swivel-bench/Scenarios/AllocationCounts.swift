// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Calls to the allocator, counted one by one.
enum AllocationCounts: Scenario {
    static let name = "allocations"
    static let summary = "calls to the allocator for each operation, exactly"

    static func contests(_ plan: Plan) -> [Contest] {
        guard Allocations.areCounted else { return [] }
        return [
            timers("schedule+cancel, capturing", .pairs(capturing: true)),
            timers("schedule+cancel, plain", .pairs(capturing: false)),
            timers("rearm", .rearm), timers("fire", .fire), timers("cancel", .cancel),
            Contest(
                name, "tick", subject: Side(Loop.name) { try Loop.allocationsOfATick() },
                rivals: [
                    Side(RivalName.backend, [.allocations]) {
                        try DispatchBackend.allocationsOfATick()
                    }
                ]),
            Contest(
                name, "once, capturing",
                subject: Side(Loop.name) { try Loop.allocationsOfReplacing() },
                rivals: [
                    Side(RivalName.backend, [.allocations]) {
                        try DispatchBackend.allocationsOfReplacing()
                    }
                ]),
            Contest(
                name, "LoopTimer.arm",
                subject: Side(Loop.name) { try AllocationCount<Loop>().arm() },
                rivals: [
                    Side(RivalName.source, [.allocations]) {
                        try TimerSources.allocations(.rearm)
                    }
                ]),
            map("map, capturing", capturing: true),
            map("map, plain", capturing: false),
            Contest(
                name, "wait", subject: Side("Future") { try waits() },
                rivals: [
                    Side(RivalName.queue, [.allocations]) { try DispatchWaits.allocations() }
                ], reason: "the rival waits with a semaphore that was made before"),
        ]
    }

    private static func map(_ variant: String, capturing: Bool) -> Contest {
        Contest(
            name, variant,
            subject: Side("Future") { try FutureChains.allocations(capturing: capturing) },
            rivals: [
                Side(RivalName.swiftTask, [.allocations]) { try TaskChains.allocations() }
            ])
    }

    private static func waits() throws -> Measurement {
        let promises = (0..<LastingWaits.count).map { _ in Promise<Int, Never>() }
        let pairs = promises.map { ($0, $0.future) }
        return try LastingWaits.allocations(
            pairs, complete: { $0.0.succeed(1) }, wait: { _ = $0.1.await() })
    }

    private static func timers(_ variant: String, _ operation: Counted) -> Contest {
        Contest(
            name, variant, subject: Side(Loop.name) { try LineUp.subject.allocations(operation) },
            rivals: LineUp.timers.sides([.allocations]) { try $0.allocations(operation) })
    }
}
