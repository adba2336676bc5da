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
        return CountedWork.contests(name, .allocations) + [
            Contest(
                name, "tick", subject: Side(Loop.name) { try Loop.countsOfATick() },
                rivals: [
                    Side(RivalName.backend, [.allocations]) {
                        try DispatchBackend.countsOfATick()
                    }
                ]),
            Contest(
                name, "wait", subject: Side("Future") { try waits() },
                rivals: [
                    Side(RivalName.queue, [.allocations]) { try DispatchWaits.allocations() }
                ], reason: "the rival waits with a semaphore that was made before"),
        ]
    }

    private static func waits() throws -> Measurement {
        let promises = (0..<LastingWaits.count).map { _ in Promise<Int, Never>() }
        let pairs = promises.map { ($0, $0.future) }
        return try LastingWaits.allocations(
            pairs, complete: { $0.0.succeed(1) }, wait: { _ = $0.1.await() })
    }
}
