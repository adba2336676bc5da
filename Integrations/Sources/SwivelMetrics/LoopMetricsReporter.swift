// SPDX-License-Identifier: Apache-2.0
#if Metrics
public import CoreMetrics
public import SwivelCore
internal import Synchronization

/// Publishes a loop's counters to a metrics backend, each time ``report()`` is called.
///
/// `Loop.reportMetrics(every:)` calls it at an interval. Use a reporter of your own if the backend
/// sets the time, before a scrape for example, or for a last report after a shutdown.
///
/// All metrics have the dimension `loop`, the loop's name, unless you give it another value:
///
/// | counter | counts |
/// |---|---|
/// | `swivel_loop_turns_total` | turns |
/// | `swivel_loop_posts_total` | posts run, and jobs of tasks and actors |
/// | `swivel_loop_wakes_total` | wakes by other threads |
/// | `swivel_loop_parks_total` | parks |
/// | `swivel_loop_fired_total` | timers fired; each tick counts |
/// | `swivel_loop_cancelled_total` | timers cancelled |
/// | `swivel_loop_missed_total` | ticks that repeating timers have missed |
/// | `swivel_loop_refused_total` | posts and schedules refused |
/// | `swivel_loop_busy_seconds_total` | seconds in which the loop was driven and not parked |
///
/// The rate of the busy seconds is the loop's utilisation. The gauge `swivel_loop_pending` is the
/// number of timers that will fire (again).
///
/// The timer `swivel_loop_lateness_seconds` has a value for each fire: how late it was, rounded up
/// to a power of two of nanoseconds. A backend makes a histogram of it, which adds up over loops
/// and over processes. If more than 10,000 timers have fired since the report before, it has 10,000
/// values, evenly spaced in the order of lateness, the latest among them.
///
/// The first report counts from the loop's beginning. The reporter keeps no loop alive: the reports
/// of one that is gone publish nothing.
///
/// **Thread:** any. No backend is called under a lock.
public final class LoopMetricsReporter: Sendable {
    private struct Target {
        weak var loop: Loop?
    }

    private static let table = MetricsTable<LoopMetrics>(
        prefix: "swivel_loop",
        counters: [
            "turns": \.turns, "posts": \.posts, "wakes": \.wakes, "parks": \.parks,
            "fired": \.fired, "cancelled": \.cancelled, "missed": \.missed, "refused": \.refused,
        ],
        times: ["busy": \.busyNanoseconds], gauges: ["pending": \.pending],
        histogram: ("lateness", \.lateness))

    private let target: Mutex<Target>
    private let publisher: MetricsPublisher<LoopMetrics>

    /// A reporter of `loop`, which has published nothing yet.
    ///
    /// - Parameters:
    ///   - loop: Is not retained.
    ///   - dimensions: Added to every metric; one called `loop` replaces the loop's name.
    ///   - factory: The backend. The default is the one that the program has bootstrapped, or that
    ///     of `withMetricsFactory`.
    /// - Complexity: O(1); makes 11 metrics.
    public init(
        for loop: Loop, dimensions: [(String, String)] = [],
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        var all = dimensions
        if !dimensions.contains(where: { $0.0 == "loop" }) {
            all.insert(("loop", loop.name), at: 0)
        }
        publisher = MetricsPublisher(Self.table, dimensions: all, factory: factory)
        target = Mutex(Target(loop: loop))
    }

    /// Publishes what has happened since the report before, and the present levels.
    ///
    /// Of two reports at the same time each publishes its part, and a counter misses nothing.
    ///
    /// - Returns: False if the loop is gone: nothing was published.
    /// - Complexity: O(n) in the fires since the report before, up to 10,000: a call of the backend
    ///   for each, and for each counter.
    @discardableResult
    public func report() -> Bool {
        // Retained outside of the lock: this may be the last reference, and a loop that ends
        // releases closures.
        guard let metrics = loop?.metrics else { return false }
        publisher.publish(metrics)
        return true
    }

    private var loop: Loop? { target.withLock { $0.loop } }
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
