// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Tasks that go to sleep for an hour and are cancelled: the same program for every clock.
package struct SleepPairs: Sendable {
    package typealias Sleep = @Sendable () async throws -> Void

    /// This many sleep at a time. All of them sleep before the first is cancelled, because a task that
    /// is cancelled before it sleeps arms no timer at all.
    package static let batch = 1_000

    private let executor: (any TaskExecutor)?
    private let sleep: Sleep
    private let counts = Counts()

    /// - Parameter executor: where all of it runs; `nil` is Swift's own pool.
    package init(on executor: (any TaskExecutor)?, _ sleep: @escaping Sleep) {
        self.executor = executor
        self.sleep = sleep
    }

    /// Runs `batches` after one that does not count.
    package func measure(batches: Int) throws -> Measurement {
        Awaited.run(on: executor) { await run(batches: 1) }
        let operations = batches * Self.batch
        let (span, _) = Awaited.time(on: executor) { await run(batches: batches) }
        var measurement = Measurement(span, operations: operations)
        try check(&measurement, operations + Self.batch)
        return measurement
    }

    /// The private memory that `count` sleeps leave behind.
    package func memoryLeft(count: Int) throws -> Measurement {
        Awaited.run(on: executor) { await run(batches: 10) }
        Settle.untilIdle()
        let before = try MemoryReading.read()
        Awaited.run(on: executor) { await run(batches: count / Self.batch) }
        Settle.untilIdle()
        let after = try MemoryReading.read()
        var measurement = Measurement()
        measurement[.left] = Double(max(0, after - before)) / Double(count)
        try check(&measurement, count + 10 * Self.batch)
        return measurement
    }

    private func check(_ measurement: inout Measurement, _ expected: Int) throws {
        try measurement.check(
            "cancelled", counts.cancelled.load(ordering: .relaxed), is: expected)
        try measurement.check("woke", counts.woke.load(ordering: .relaxed), is: 0)
    }

    private func run(batches: Int) async {
        for _ in 0..<batches {
            let begun = counts.begun.load(ordering: .relaxed)
            let tasks = (0..<Self.batch).map { _ in
                Awaited.start(on: executor) { await sleepOnce() }
            }
            while counts.begun.load(ordering: .relaxed) < begun + Self.batch { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
    }

    private func sleepOnce() async {
        counts.begun.add(1, ordering: .relaxed)
        do {
            try await sleep()
            counts.woke.add(1, ordering: .relaxed)
        } catch {
            counts.cancelled.add(1, ordering: .relaxed)
        }
    }

    private final class Counts: Sendable {
        let begun = Atomic(0)
        let woke = Atomic(0)
        let cancelled = Atomic(0)
    }
}
