// SPDX-License-Identifier: Apache-2.0
#if Metrics
public import CoreMetrics
public import SwivelCore
internal import Synchronization

/// Publishes a loop's counters to a metrics backend, each time it is asked to.
///
/// `Loop.reportMetrics(every:)` asks at an interval. Use a reporter of your own where the backend
/// says when, before a scrape for example, or for a last report after a shutdown.
///
/// All metrics have the dimension `loop`, the loop's name, unless you give it another value:
///
/// | counter | counts |
/// |---|---|
/// | `swivel_loop_turns` | turns |
/// | `swivel_loop_posts` | posts run, and jobs of tasks and actors |
/// | `swivel_loop_wakes` | wakes by other threads |
/// | `swivel_loop_parks` | parks |
/// | `swivel_loop_fired` | timers fired; each tick counts |
/// | `swivel_loop_cancelled` | timers cancelled |
/// | `swivel_loop_missed` | ticks that repeating timers have missed |
/// | `swivel_loop_refused` | posts and schedules refused |
///
/// | gauge | level |
/// |---|---|
/// | `swivel_loop_pending` | timers that will fire (again) |
/// | `swivel_loop_busy_share` | share of the loop's life, 0 to 1, in which it was not parked |
/// | `swivel_loop_lateness_seconds` | an upper bound of how late timers have fired since the report before, within a factor of two, with the dimension `quantile`: `0.5`, `0.9` or `0.99`; 0 if none has fired |
///
/// The first report counts from the loop's beginning. The reporter keeps no loop alive: the reports
/// of one that is gone publish nothing.
///
/// **Thread:** any. No backend is called under a lock.
public final class LoopMetricsReporter: Sendable {
    private struct State {
        weak var loop: Loop?
        var published = PublishedMetrics()
    }

    private let state: Mutex<State>
    private let handlers: LoopMetricsHandlers

    /// A reporter of `loop`, which has published nothing yet.
    ///
    /// - Parameters:
    ///   - loop: Is not retained.
    ///   - dimensions: Added to every metric; one called `loop` replaces the loop's name.
    ///   - factory: The backend. The default is the one that the program has bootstrapped, or that
    ///     of `withMetricsFactory`.
    /// - Complexity: O(1); makes 13 metrics.
    public init(
        for loop: Loop, dimensions: [(String, String)] = [],
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        var all = dimensions
        if !dimensions.contains(where: { $0.0 == "loop" }) {
            all.insert(("loop", loop.name), at: 0)
        }
        handlers = LoopMetricsHandlers(dimensions: all, factory: factory)
        state = Mutex(State(loop: loop))
    }

    /// Publishes what has happened since the report before, and the present levels.
    ///
    /// Of two reports at the same time each publishes its part, and a counter misses nothing.
    ///
    /// - Returns: False if the loop is gone: nothing was published.
    /// - Complexity: O(1); some dozen calls of the backend.
    @discardableResult
    public func report() -> Bool {
        // Retained outside of the lock: this may be the last reference, and a loop that ends
        // releases closures.
        guard let metrics = loop?.metrics else { return false }
        let news = state.withLock { $0.published.advance(to: metrics) }
        handlers.publish(news)
        return true
    }

    private var loop: Loop? { state.withLock { $0.loop } }
}
#else
/// Needs the trait `Metrics`.
@available(
    *, unavailable,
    message: "SwivelMetrics needs its trait: .package(..., traits: [\"Metrics\"])"
)
public struct LoopMetricsReporter {
    /// Needs the trait.
    public init(for loop: Any) {}
}
#endif
