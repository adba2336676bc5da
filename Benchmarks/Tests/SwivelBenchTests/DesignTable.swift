// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

/// The budgets that the library was designed to, as far as their scenarios and rivals exist: the
/// numbers that `Budgets.json` may be stricter than and never weaker.
enum DesignTable {
    static let rows: [Budget] =
        // schedule+cancel on the loop
        against(backend, "schedule-cancel", "1k", "cpu", .ratioAtLeast, 30, aim: 50)
        + against(backend, "schedule-cancel", "100k", "cpu", .ratioAtLeast, 30, aim: 50)
        + against(["DispatchSource"], "schedule-cancel", "1k", "cpu", .ratioAtLeast, 16, aim: 30)
        + against(["DispatchSource"], "schedule-cancel", "100k", "cpu", .ratioAtLeast, 16, aim: 30)
        + against(["libuv"], "schedule-cancel", "1k", "wall", .ratioAtLeast, 1, aim: 2)
        + against(["libuv"], "schedule-cancel", "100k", "wall", .ratioAtLeast, 1.2, aim: 2)
        + against(["Swivel at 1k"], "schedule-cancel", "1M", "wall", .shareAtMost, 1.2, aim: 1.05)
        + against(["libuv"], "loop-timer", "100k", "wall", .ratioAtLeast, 3, aim: 4)
        // random churn
        + against(dispatch, "churn", "100k", "cpu", .ratioAtLeast, 8, aim: 12)
        + against(["libuv"], "churn", "100k", "wall", .ratioAtLeast, 0.9, aim: 1.4)
        // from other threads
        + against(backend, "cross-thread", "1 producer", "cpu", .ratioAtLeast, 12, aim: 16)
        + against(backend, "cross-thread", "2 producers", "cpu", .ratioAtLeast, 10, aim: 16)
        + against(dispatch, "cross-thread", "1 producer", "cpu", .ratioAtLeast, 10, aim: 16)
        + against(dispatch, "cross-thread", "2 producers", "cpu", .ratioAtLeast, 7, aim: 11)
        + against(queue, "post", "1 producer, capturing", "cpu", .ratioAtLeast, 3, aim: 5)
        + against(queue, "post", "2 producers, capturing", "cpu", .ratioAtLeast, 2, aim: 4)
        + against(queue, "round-trip", "idle machine", "p50", .shareAtMost, 0.4, aim: 0.15)
        + against(queue, "round-trip", "idle machine", "p99", .shareAtMost, 1.5, aim: 0.5)
        + against(queue, "round-trip", "one busy thread", "p50", .shareAtMost, 1.3, aim: 1)
        // descriptors
        + against(["epoll"], "watched-event", "ping-pong", "cpu", .shareAtMost, 1.15)
        + against(["epoll"], "watched-event", "1,000 at once", "cpu", .shareAtMost, 1.15)
        // firing
        + against(["libuv"], "burst", "within 100 ms", "wall", .ratioAtLeast, 2.2, aim: 4)
        + against(dispatch, "spread", "exact", "cpu", .ratioAtLeast, 3, aim: 4)
        + against(dispatch, "spread", "100 µs leeway", "cpu", .ratioAtLeast, 3.3, aim: 6)
        + against(dispatch, "spread", "1 ms leeway", "cpu", .ratioAtLeast, 10, aim: 14)
        + against(dispatch, "lateness", "light load", "p50", .shareAtMost, 0.5, aim: 0.25)
        + against(backend, "lateness", "light load", "early", .valueExactly, 0)
        + against(backend, "lateness", "a loop's first second", "early", .valueExactly, 0)
        + against(
            backend, "intervals", "10k, 1 ms leeway", "ticks", .valueAtLeast, 99.9, aim: 100)
        + against(backend, "intervals", "10k, 1 ms leeway", "core", .shareAtMost, 0.35, aim: 0.2)
        + against(backend, "intervals", "10k, 1 ms leeway", "drift", .valueExactly, 0)
        // debounce
        + against(dispatch, "debounce", "coalescer", "cpu", .ratioAtLeast, 10, aim: 25)
        + against(backend, "debounce", "coalescer", "cpu", .ratioAtLeast, 25, aim: 40)
        + against(dispatch, "debounce", "once", "cpu", .ratioAtLeast, 1.2, aim: 3)
        + against(backend, "debounce", "once", "cpu", .ratioAtLeast, 18, aim: 30)
        // exact counts
        + allocations("schedule+cancel, capturing", 1) + allocations("schedule+cancel, plain", 0)
        + allocations("rearm", 0) + allocations("fire", 0) + allocations("tick", 0)
        + allocations("cancel", 0)
        + against(
            ["DispatchSource"], "allocations", "LoopTimer.arm", "allocations", .valueExactly, 0)
        // futures
        + against(["Swift Task"], "allocations", "map, capturing", "allocations", .valueAtMost, 2)
        + against(["Swift Task"], "allocations", "map, plain", "allocations", .valueAtMost, 1)
        + against(["Swift Task"], "future-chain", "10 maps", "cpu", .ratioAtLeast, 6)
        + against(["Swift Task"], "future-chain", "100 maps", "cpu", .ratioAtLeast, 6)
        // memory; the last page is not full, which is 0.02 bytes a timer
        + against(backend, "memory", "100k", "bytes", .valueAtMost, 64.1)
        + against(backend, "memory", "100k, capturing", "bytes", .valueAtMost, 112.1)
        + against(
            backend, "cancelled-timeouts", "on the loop", "growth", .valueBelow, 1)
        + against(
            backend, "cancelled-timeouts", "10M, on the loop", "growth", .valueBelow, 5)
        + against(
            backend, "cancelled-timeouts", "from another thread", "growth", .valueBelow, 1)
        // Swift concurrency
        + against(
            ["default executor"], "actor-hop", "actor to actor, same loop", "cpu", .ratioAtLeast,
            1.5, aim: 3)
        + against(["queue executor"], "actor-hop", "pool to loop", "cpu", .ratioAtLeast, 1, aim: 3)
        + against(
            ["default executor"], "virtual-time", "an instant", "wall", .valueAtMost, 50_000,
            aim: 10_000)
        + against(
            ["Task.sleep"], "clock-sleep", "on the loop", "cpu", .ratioAtLeast, 2.5, aim: 4)
        + against(
            ["Task.sleep"], "clock-sleep", "from the pool", "cpu", .ratioAtLeast, 1.3, aim: 2.5)
        // where threads meet
        + waits("submit", 1.5, aim: 5) + waits("Async", 1, aim: 3) + waits("operator", 1.5, aim: 5)
        + against(["DispatchQueue"], "allocations", "wait", "allocations", .valueAtMost, 1)
        + against(["DispatchQueue"], "sequence", "1,000 submits", "cpu", .ratioAtLeast, 1, aim: 2)
        + against(["Swift Task"], "sequence", "1,000 submits", "cpu", .ratioAtLeast, 1.2, aim: 2)
        + against(["Swift Task"], "job", "with progress", "cpu", .ratioAtLeast, 1, aim: 3)
        + against(["Swift Task"], "job", "without progress", "cpu", .ratioAtLeast, 1, aim: 3)
        // rivals that are packages
        + against(nio, "schedule-cancel", "1k", "cpu", .ratioAtLeast, 25, aim: 45)
        + against(nio, "schedule-cancel", "100k", "cpu", .ratioAtLeast, 1_000)
        + against(nio, "churn", "100k", "cpu", .ratioAtLeast, 100)
        + against(nio, "cross-thread", "1 producer", "cpu", .ratioAtLeast, 12, aim: 20)
        + against(nio, "cross-thread", "2 producers", "cpu", .ratioAtLeast, 12, aim: 20)
        + against(nio, "burst", "within 100 ms", "wall", .ratioAtLeast, 12, aim: 40)
        + against(nio, "lateness", "light load", "p50", .shareAtMost, 0.5, aim: 0.25)
        + against(nio, "post", "1 producer, capturing", "cpu", .ratioAtLeast, 2.2, aim: 4)
        + against(nio, "post", "2 producers, capturing", "cpu", .ratioAtLeast, 2.2, aim: 4)
        + ["wall", "cpu"].flatMap {
            against(
                nio, "wait", "submit, back to back, main thread", $0, .ratioAtLeast, 2, aim: 8)
        }
        + against(nio, "debounce", "coalescer", "cpu", .ratioAtLeast, 13, aim: 40)
        + against(nio, "idle-timeout", "touch", "cpu", .ratioAtLeast, 50, aim: 200)
        + against(["libuv"], "memory", "idle connections", "bytes", .valueAtMost, 24)
        + ["10", "100"].flatMap {
            against(nio, "future-chain", "\($0) maps", "cpu", .ratioAtLeast, 2, aim: 3)
                + against(["OpenCombine"], "future-chain", "\($0) maps", "cpu", .ratioAtLeast, 4)
                + against(
                    nio, "future-chain", "\($0) maps, on the loop", "cpu", .ratioAtLeast, 1.1,
                    aim: 1.8)
        }
        + against(nio, "actor-hop", "actor to actor, same loop", "cpu", .ratioAtLeast, 1.2, aim: 3)
        + against(["DispatchQueue"], "idle", "after a burst", "core", .valueBelow, 0.1)

    private static let nio = ["NIO"]
    private static let backend = ["DispatchBackend"]
    private static let dispatch = ["DispatchBackend", "DispatchSource"]
    private static let queue = ["DispatchBackend", "DispatchQueue"]

    private static func against(
        _ rivals: [String], _ scenario: String, _ variant: String, _ metric: String,
        _ form: Budget.Form, _ must: Double, aim: Double? = nil
    ) -> [Budget] {
        rivals.map {
            Budget(
                scenario: scenario, variant: variant, metric: metric, rival: $0, form: form,
                must: must, aim: aim)
        }
    }

    /// Waits back to back by each kind of thread; and those of one where no looking can help.
    private static func waits(_ kind: String, _ must: Double, aim: Double) -> [Budget] {
        let rival = ["DispatchQueue"]
        return ["wall", "cpu"].flatMap { metric in
            ["main thread", "plain thread", "pool's worker", "another loop"].flatMap {
                against(
                    rival, "wait", "\(kind), back to back, \($0)", metric, .ratioAtLeast, must,
                    aim: aim)
            }
                + ["every 2 ms", "one busy thread"].flatMap {
                    against(
                        rival, "wait", "\(kind), \($0), main thread", metric, .shareAtMost, 1.5,
                        aim: 1.1)
                }
        }
    }

    private static func allocations(_ variant: String, _ count: Double) -> [Budget] {
        against(backend, "allocations", variant, "allocations", .valueExactly, count)
    }
}
