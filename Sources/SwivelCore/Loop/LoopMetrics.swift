// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// Counters of a loop since it was made. Each is exact whenever it is read, whether the loop sleeps
/// or not; one may be a turn ahead of another. Work counts by closures of the program's: a timer
/// that only checks what is due, such as that of an ``IdleTracker``, counts when its closure runs.
/// A timer that completes a future (as `Future.delay` does), ends a time limit or resumes a task
/// counts as one fire, and each callback of the future that runs on the loop as one post.
public struct LoopMetrics: Hashable, Sendable {
    /// Turns run.
    public let turns: Int
    /// Posts run, jobs of tasks and actors, and events of watches.
    public let posts: Int
    /// How often another thread woke the loop.
    public let wakes: Int
    /// How often the loop parked.
    public let parks: Int
    /// Closures of timers run; each tick counts.
    public let fired: Int
    /// Timers cancelled.
    public let cancelled: Int
    /// Timers whose closures will run (again) unless they are cancelled. A ``DeadlineQueue`` or an
    /// ``IdleTracker`` with entries is one.
    public let pending: Int
    /// Ticks that repeating timers have missed.
    public let missed: Int
    /// Posts and schedules refused.
    public let refused: Int
    /// How late timers have fired. A timer of another context counts when its closure is sent
    /// there.
    public let lateness: LatenessHistogram
    /// Share of the time since the loop was driven first, 0 to 1, in which it was driven and not
    /// parked.
    public let busyShare: Double
    /// How long that was, in nanoseconds.
    package let busyNanoseconds: Int

    /// How late timers have fired, in buckets that double.
    public struct LatenessHistogram: Hashable, Sendable {
        /// Bucket *k* counts the fires that were late by less than 2^k ns and at least half of
        /// that; bucket 0 those that were not late at all.
        public let buckets: [Int]

        package init(counting buckets: [Int]) { self.buckets = buckets }

        /// Fires counted.
        public var count: Int { buckets.reduce(0, +) }

        /// Returns an upper bound of the lateness of a `share` of the fires, from 0 to 1: 0.99 for
        /// the 99th percentile.
        ///
        /// **Thread:** any.
        /// - Complexity: O(1).
        public func quantile(_ share: Double) -> Duration {
            let wanted = (Double(count) * min(max(share, 0), 1)).rounded(.up)
            var seen = 0.0
            for (bucket, fires) in buckets.enumerated() {
                seen += Double(fires)
                if seen >= wanted && fires > 0 {
                    return .nanoseconds(UInt64(1) << UInt64(bucket))
                }
            }
            return .zero
        }
    }
}

extension Loop {
    /// The loop's counters.
    public var metrics: LoopMetrics {
        var counters = swivel_counters()
        swivel_loop_counters(record, &counters)
        return LoopMetrics(
            turns: Int(clamping: counters.turns), posts: Int(clamping: counters.posts),
            wakes: Int(clamping: counters.wakes), parks: Int(clamping: counters.parks),
            fired: Int(clamping: counters.fired), cancelled: Int(clamping: counters.cancelled),
            pending: Int(clamping: counters.pending), missed: Int(clamping: counters.missed),
            refused: Int(clamping: counters.refused),
            lateness: LoopMetrics.LatenessHistogram(
                counting: withUnsafeBytes(of: counters.lateness) { bytes in
                    bytes.bindMemory(to: UInt64.self).map { Int(clamping: $0) }
                }),
            busyShare: counters.life_ns == 0
                ? 0 : Double(counters.busy_ns) / Double(counters.life_ns),
            busyNanoseconds: Int(clamping: counters.busy_ns))
    }
}
