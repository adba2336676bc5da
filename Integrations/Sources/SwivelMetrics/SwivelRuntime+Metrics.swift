// SPDX-License-Identifier: Apache-2.0
#if Metrics
public import CoreMetrics
public import SwivelCore
public import SwivelRuntime

extension SwivelRuntime {
    /// Publishes the counters of the sleeps and of the worker pool to a metrics backend, at an
    /// interval; ``RuntimeMetricsReporter`` lists the metrics.
    ///
    /// **Thread:** any. The backend is called on `context`.
    /// - Parameters:
    ///   - interval: Between two reports; zero or less traps. The first comes after one interval.
    ///     Each may come a hundredth of it later.
    ///   - dimensions: Added to every metric.
    ///   - context: Where the backend is called. The default is the pool whose counters these are:
    ///     a report waits for one of its threads. A loop reports a pool that is stuck, too.
    ///   - factory: The backend. The default is the one that the program has bootstrapped.
    /// - Returns: The timer of the reports. Cancel it to end them; dropping it does nothing.
    /// - Complexity: O(1); see ``RuntimeMetricsReporter/report()`` for a report.
    @discardableResult
    public static func reportMetrics(
        every interval: Duration, dimensions: [(String, String)] = [],
        on context: any ExecutionContext = .background,
        factory: any MetricsFactory = MetricsSystem.factory
    ) -> TimerHandle {
        let reporter = RuntimeMetricsReporter(dimensions: dimensions, factory: factory)
        return context.schedule(every: interval, leeway: interval / 100) { reporter.report() }
    }
}
#endif
