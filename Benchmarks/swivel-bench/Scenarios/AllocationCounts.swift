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
            both("schedule+cancel, capturing") {
                try Counted($0).pairs(capturing: true)
            } backend: {
                try Counted($0).pairs(capturing: true)
            },
            both("schedule+cancel, plain") {
                try Counted($0).pairs(capturing: false)
            } backend: {
                try Counted($0).pairs(capturing: false)
            },
            both("rearm") {
                try Counted($0).rearm()
            } backend: {
                try Counted($0).rearm()
            },
            both("fire") {
                try Counted($0).fire()
            } backend: {
                try Counted($0).fire()
            },
            both("tick") {
                try Counted($0).tick()
            } backend: {
                try Counted($0).tick()
            },
            both("cancel") {
                try Counted($0).cancel()
            } backend: {
                try Counted($0).cancel()
            },
            both("once, capturing") {
                try Counted($0).once()
            } backend: {
                try Counted($0).once()
            },
            Contest(
                name, "LoopTimer.arm",
                subject: Side(Loop.sideName) { try Counted(Field<Loop>(outstanding: 100)).arm() },
                rivals: [
                    Side(RivalName.source, [.allocations]) {
                        try DispatchTimers.allocationsOfReschedule()
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

    private static func both(
        _ variant: String,
        _ subject: @escaping @Sendable (Field<Loop>) throws -> Measurement,
        backend: @escaping @Sendable (Field<DispatchBackend>) throws -> Measurement
    ) -> Contest {
        Contest(
            name, variant,
            subject: Side(Loop.sideName) { try subject(Field(outstanding: 100)) },
            rivals: [
                Side(RivalName.backend, [.allocations]) { try backend(Field(outstanding: 100)) }
            ])
    }
}
