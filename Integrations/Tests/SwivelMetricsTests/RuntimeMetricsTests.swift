// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import MetricsTestKit
import Synchronization
import SwivelTesting
import Testing

@testable import SwivelCore
@testable import SwivelMetrics
@testable import SwivelRuntime

/// Nothing is installed here: the metrics are published as they are without it.
@Suite struct RuntimeMetricsTests {
    private let backend = TestMetrics()

    private func counter(_ name: String) throws -> TestCounter {
        try backend.expectCounter("swivel_runtime_\(name)_total")
    }

    private func levels(_ name: String) throws -> [Double] {
        try backend.expectGauge("swivel_runtime_\(name)").values
    }

    private func delays() throws -> TestTimer {
        try backend.expectTimer("swivel_runtime_queue_delay_seconds")
    }

    /// A reporter whose reports are of one snapshot after the other.
    private func reporter(of snapshots: [RuntimeMetrics]) -> RuntimeMetricsReporter {
        let rest = Snapshots(snapshots)
        return RuntimeMetricsReporter(dimensions: [], factory: backend) { rest.next() }
    }

    @Test func everyMetricHasTheValueOfItsName() throws {
        reporter(of: [
            RuntimeMetrics(
                jobs: 2, queueDelay: .init(counting: [0, 0, 1, 1]), sleepsPending: 3,
                cancelledEarly: 4, cancelledLate: 5, threads: 6, blockedThreads: 7, queued: 8)
        ]).report()
        #expect(try counter("jobs").values == [2])
        #expect(try counter("sleeps_cancelled_early").values == [4])
        #expect(try counter("sleeps_cancelled_late").values == [5])
        #expect(try counter("stalls").values == [])
        #expect(try levels("sleeps_pending") == [3])
        #expect(try levels("threads") == [6])
        #expect(try levels("blocked_threads") == [7])
        #expect(try levels("queued") == [8])
        #expect(try delays().values == [4, 8])
        #expect(try delays().displayUnit == .seconds)
        #expect(backend.counters.count == 4)
        #expect(backend.recorders.count == 4)
        #expect(backend.timers.count == 1)
    }

    @Test func aCounterRisesByTheDifferenceAndAGaugeShowsEachLevel() throws {
        let reporter = reporter(
            of: [3, 3, 5].map { count in
                RuntimeMetrics(
                    jobs: count, queueDelay: .init(counting: [0, count]), sleepsPending: count,
                    cancelledEarly: 2 * count, cancelledLate: 3 * count, threads: 4 * count,
                    blockedThreads: 5 * count, queued: 6 * count)
            })
        for _ in 0..<3 { reporter.report() }
        #expect(try counter("jobs").values == [3, 2])
        #expect(try counter("sleeps_cancelled_early").values == [6, 4])
        #expect(try counter("sleeps_cancelled_late").values == [9, 6])
        #expect(try delays().values == [2, 2, 2, 2, 2])
        #expect(try levels("sleeps_pending") == [3, 3, 5])
        #expect(try levels("threads") == [12, 12, 20])
        #expect(try levels("blocked_threads") == [15, 15, 25])
        #expect(try levels("queued") == [18, 18, 30])
    }

    @Test(.enabled(if: WakeJob.isSupported))
    func aSleepOnALoopIsPendingUntilItsCancelLeavesNothing() throws {
        let loop = try Loop.manual()
        let reporter = RuntimeMetricsReporter(factory: backend)
        reporter.report()
        let cancelled = try counter("sleeps_cancelled_early").totalValue
        let task = Task(executorPreference: loop.taskExecutor) {
            try? await Task.sleep(for: .seconds(3600))
        }
        loop.advance(by: .zero)
        reporter.report()
        task.cancel()
        loop.advance(by: .zero)
        for _ in 0..<2 { reporter.report() }
        let pending = try levels("sleeps_pending")
        #expect(pending.map { $0 - pending[0] } == [0, 1, 0, 0])
        #expect(try counter("sleeps_cancelled_early").totalValue == cancelled + 1)
        loop.shutdown()
    }

    @Test func aTaskThatThePoolHasRunIsOneJobWithADelay() async throws {
        let reporter = RuntimeMetricsReporter(factory: backend)
        reporter.report()
        let jobs = try counter("jobs").totalValue
        let values = try delays().values.count
        let executor = FirstStepOnPool()
        let wasOnWorker = await Task.detached(executorPreference: executor) {
            WorkerPool.isOnWorker
        }.value
        withExtendedLifetime(executor) {}
        for _ in 0..<2 { reporter.report() }
        #expect(wasOnWorker)
        #expect(try counter("jobs").totalValue == jobs + 1)
        #expect(try delays().values.count == values + 1)
        #expect(try #require(levels("threads").last) >= 1)
    }

    @Test func aStallCountsWhenItBegins() throws {
        let reporter = RuntimeMetricsReporter(factory: backend)
        for isOver in [false, false, true] {
            reporter.countStall(
                Stall(
                    loop: "swivel.pool", label: nil, site: nil, isUnattended: false,
                    duration: .seconds(1), isOver: isOver))
        }
        #expect(try counter("stalls").values == [1, 1])
        reporter.report()
        #expect(try counter("stalls").values == [1, 1])
    }

    @Test func dimensionsAreAddedToEveryMetric() {
        let reporter = RuntimeMetricsReporter(dimensions: [("service", "mail")], factory: backend)
        reporter.report()
        let dimensions =
            backend.counters.map(\.dimensions) + backend.recorders.map(\.dimensions)
            + backend.timers.map(\.dimensions)
        #expect(dimensions.count == 9)
        #expect(dimensions.allSatisfy { $0.map(\.0) == ["service"] && $0.map(\.1) == ["mail"] })
    }

    @Test func reportsComeAtTheIntervalUntilTheyAreCancelled() throws {
        let loop = try Loop.manual()
        let reports = SwivelRuntime.reportMetrics(
            every: .seconds(10), on: loop, factory: backend)
        loop.advance(by: .seconds(9))
        #expect(try levels("threads").isEmpty)
        for _ in 0..<3 { loop.advance(by: .seconds(10)) }
        #expect(try levels("threads").count == 3)
        #expect(reports.cancel() == .cancelled)
        loop.advance(by: .seconds(100))
        #expect(try levels("threads").count == 3)
        #expect(loop.pending.isEmpty)
        loop.shutdown()
    }
}

private final class Snapshots: Sendable {
    private let rest: Mutex<[RuntimeMetrics]>

    init(_ snapshots: [RuntimeMetrics]) { rest = Mutex(snapshots) }

    func next() -> RuntimeMetrics { rest.withLock { $0.removeFirst() } }
}

/// Runs a task's first step as the pool runs those of the whole program, and others where they come.
private final class FirstStepOnPool: TaskExecutor {
    private let isUsed = Atomic(false)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isUsed.exchange(true, ordering: .relaxed) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            WorkerPool.shared.accept(job, priority: job.priority.rawValue)
        }
    }
}
