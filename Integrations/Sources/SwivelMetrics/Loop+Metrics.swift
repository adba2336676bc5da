// SPDX-License-Identifier: Apache-2.0
#if Metrics
public import CoreMetrics
public import SwivelCore

extension Loop {
    /// Publishes the loop's counters to a metrics backend, at an interval; ``LoopMetricsReporter``
    /// lists the metrics.
    ///
    /// The reports end by themselves once the loop is gone; they do not keep it. The last tick
    /// publishes nothing of the time after it: keep a ``LoopMetricsReporter`` if that matters.
    ///
    /// **Thread:** any. The backend is called on `context`.
    /// - Parameters:
    ///   - interval: Between two reports; zero or less traps. The first comes after one interval.
    ///     Each may come a hundredth of it later.
    ///   - dimensions: Added to every metric; one called `loop` replaces the loop's name.
    ///   - context: Where the backend is called. The default keeps a slow backend away from the
    ///     loop, and still reports a loop that hangs.
    ///   - factory: The backend. The default is the one that the program has bootstrapped.
    /// - Returns: The timer of the reports. Cancel it to end them; dropping it does nothing.
    /// - Complexity: O(1); see ``LoopMetricsReporter/report()`` for a report.
    @discardableResult
    public func reportMetrics(
        every interval: Duration, dimensions: [(String, String)] = [],
        on context: any ExecutionContext = .background,
        factory: any MetricsFactory = MetricsSystem.factory
    ) -> TimerHandle {
        let reporter = LoopMetricsReporter(for: self, dimensions: dimensions, factory: factory)
        return context.schedule(every: interval, leeway: interval / 100) { tick in
            if !reporter.report() { tick.cancel() }
        }
    }
}

extension LoopGroup {
    /// Publishes the counters of each loop of the group, told apart by the loops' names, at an
    /// interval; see ``SwivelCore/Loop/reportMetrics(every:dimensions:on:factory:)``.
    ///
    /// The reports end by themselves once all loops are gone.
    ///
    /// **Thread:** any. The backend is called on `context`.
    /// - Parameters:
    ///   - interval: Between two reports; zero or less traps. The first comes after one interval.
    ///     Each may come a hundredth of it later.
    ///   - dimensions: Added to every metric. One called `loop` would make the loops one: their
    ///     counters add up, and each gauge shows the last loop.
    ///   - context: Where the backend is called.
    ///   - factory: The backend. The default is the one that the program has bootstrapped.
    /// - Returns: The timer of the reports. Cancel it to end them; dropping it does nothing.
    /// - Complexity: O(n) in the loops.
    @discardableResult
    public func reportMetrics(
        every interval: Duration, dimensions: [(String, String)] = [],
        on context: any ExecutionContext = .background,
        factory: any MetricsFactory = MetricsSystem.factory
    ) -> TimerHandle {
        let reporters = loops.map {
            LoopMetricsReporter(for: $0, dimensions: dimensions, factory: factory)
        }
        return context.schedule(every: interval, leeway: interval / 100) { tick in
            let alive = reporters.filter { $0.report() }
            if alive.isEmpty { tick.cancel() }
        }
    }
}
#endif
