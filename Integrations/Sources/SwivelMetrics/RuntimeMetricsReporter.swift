// SPDX-License-Identifier: Apache-2.0
#if Metrics
public import CoreMetrics
public import SwivelCore
internal import SwivelRuntime

/// Publishes the counters of `SwivelRuntime` to a metrics backend, each time ``report()`` is called.
///
/// `SwivelRuntime.reportMetrics(every:)` calls it at an interval. Without an installation the
/// metrics are there too: the sleeps of tasks that prefer a loop count, and the pool's threads.
///
/// | counter | counts |
/// |---|---|
/// | `swivel_runtime_jobs_total` | steps of tasks that the worker pool has run |
/// | `swivel_runtime_sleeps_cancelled_early_total` | cancelled sleeps that left nothing |
/// | `swivel_runtime_sleeps_cancelled_late_total` | cancelled sleeps that stayed for a while |
/// | `swivel_runtime_stalls_total` | stalls that were given to ``countStall(_:)`` |
///
/// | gauge | is the number of |
/// |---|---|
/// | `swivel_runtime_sleeps_pending` | sleeps that are pending, on loops too |
/// | `swivel_runtime_threads` | threads of the worker pool |
/// | `swivel_runtime_blocked_threads` | those of them that are blocked, and that others replace |
/// | `swivel_runtime_queued` | steps of tasks, and closures, that wait for a thread |
///
/// The timer `swivel_runtime_queue_delay_seconds` has a value for each step of a task: how long it
/// waited for a thread, rounded up to a power of two of nanoseconds. More than 10,000 values since
/// the report before are thinned, as ``LoopMetricsReporter`` does with its own.
///
/// All metrics are those of the process, and have only the dimensions that you give them. The first
/// report counts from the beginning of the process.
///
/// **Thread:** any. No backend is called under a lock.
public final class RuntimeMetricsReporter: Sendable {
    private static let table = MetricsTable<RuntimeMetrics>(
        prefix: "swivel_runtime",
        counters: [
            "jobs": \.jobs, "sleeps_cancelled_early": \.cancelledEarly,
            "sleeps_cancelled_late": \.cancelledLate,
        ],
        gauges: [
            "sleeps_pending": \.sleepsPending, "threads": \.threads,
            "blocked_threads": \.blockedThreads, "queued": \.queued,
        ],
        histogram: ("queue_delay", \.queueDelay))

    private let publisher: MetricsPublisher<RuntimeMetrics>
    private let stalls: Counter
    private let snapshot: @Sendable () -> RuntimeMetrics

    /// A reporter that has published nothing yet.
    ///
    /// - Parameters:
    ///   - dimensions: Added to every metric.
    ///   - factory: The backend. The default is the one that the program has bootstrapped, or that
    ///     of `withMetricsFactory`.
    /// - Complexity: O(1); makes 9 metrics.
    public convenience init(
        dimensions: [(String, String)] = [], factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.init(dimensions: dimensions, factory: factory) { SwivelRuntime.metrics }
    }

    /// A reporter of the snapshots that `snapshot` returns.
    init(
        dimensions: [(String, String)], factory: any MetricsFactory,
        snapshot: @escaping @Sendable () -> RuntimeMetrics
    ) {
        publisher = MetricsPublisher(Self.table, dimensions: dimensions, factory: factory)
        stalls = Counter(
            label: "swivel_runtime_stalls_total", dimensions: dimensions, factory: factory)
        self.snapshot = snapshot
    }

    /// Publishes what has happened since the report before, and the present levels.
    ///
    /// Two reports at the same time publish nothing twice, and a counter misses nothing.
    ///
    /// - Complexity: O(n) in the pool's threads, and in the steps of tasks since the report before,
    ///   up to 10,000: a call of the backend for each.
    public func report() { publisher.publish(snapshot()) }

    /// Counts a stall of the worker pool at once, for `SwivelRuntime.watchdog`:
    ///
    ///     try SwivelRuntime.watchdog(after: .seconds(1), reporter.countStall)
    ///
    /// A watchdog reports each stall twice. The second report, of a stall that is over, does not
    /// count.
    ///
    /// **Thread:** any. The backend is called on the caller's thread.
    /// - Complexity: O(1), a call of the backend.
    public func countStall(_ stall: Stall) {
        if !stall.isOver { stalls.increment() }
    }
}
#else
/// Needs the trait `Metrics`.
@available(
    *, unavailable,
    message: "SwivelMetrics needs its trait: .package(..., traits: [\"Metrics\"])"
)
public struct RuntimeMetricsReporter {
    /// Needs the trait.
    public init() {}
}
#endif
