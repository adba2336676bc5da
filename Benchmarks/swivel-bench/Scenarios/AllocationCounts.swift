// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Calls to the allocator, counted one by one.
enum AllocationCounts: Scenario {
    static let name = "allocations"
    static let summary = "calls to the allocator per operation, exactly"

    static func contests(_ plan: Plan) -> [Contest] {
        guard Allocations.areCounted else { return [] }
        return [
            timers("schedule+cancel, capturing", .pairs(capturing: true)),
            timers("schedule+cancel, plain", .pairs(capturing: false)),
            timers("rearm", .rearm), timers("fire", .fire), timers("cancel", .cancel),
            contest("tick", RivalName.source, { try Loop.countsOfATick() }) {
                try TimerSources.countsOfATick()
            },
            contest("once, capturing", RivalName.backend, { try Loop.countsOfReplacing() }) {
                try DispatchBackend.countsOfReplacing()
            },
            contest("LoopTimer.arm", RivalName.source, { try OperationCount<Loop>().arm() }) {
                try TimerSources.counts(.rearm)
            },
            contest("map, capturing", RivalName.swiftTask, FutureChains.allocations) {
                try SwiftTasks.allocations()
            },
            contest(
                "wait", RivalName.queue, waits,
                reason: "the rival waits with a semaphore that was made before"
            ) { try DispatchQueues.allocations() },
        ]
    }

    private static func timers(_ variant: String, _ operation: Counted) -> Contest {
        Contest(
            name, variant, subject: Side(Loop.name) { try LineUp.subject.counts(operation) },
            rivals: LineUp.timers.sides([.allocations]) { try $0.counts(operation) })
    }

    private static func contest(
        _ variant: String, _ rival: String, _ ours: @escaping @Sendable () throws -> Measurement,
        reason: String? = nil, theirs: @escaping @Sendable () throws -> Measurement
    ) -> Contest {
        Contest(
            name, variant, subject: Side(Loop.name, measure: ours),
            rivals: [Side(rival, [.allocations], measure: theirs)], reason: reason)
    }

    @Sendable private static func waits() throws -> Measurement {
        let promises = (0..<LastingWaits.count).map { _ in Promise<Int, Never>() }
        let pairs = promises.map { ($0, $0.future) }
        return try LastingWaits.allocations(
            pairs, complete: { $0.0.succeed(1) }, wait: { _ = $0.1.await() })
    }
}
