// SPDX-License-Identifier: Apache-2.0
#if Metrics
internal import SwivelCore

/// The difference between two reports, and the level at the second one.
struct MetricsNews {
    /// In the order of ``LoopCounter/allCases``.
    let increments: [Int]
    let busyNanoseconds: Int
    let pending: Int
    /// Fires by lateness, in the buckets of `LoopMetrics.LatenessHistogram`.
    let lateness: [Int]
}

/// The counters of a loop that only rise.
enum LoopCounter: String, CaseIterable {
    case turns, posts, wakes, parks, fired, cancelled, missed, refused

    func value(in metrics: LoopMetrics) -> Int {
        switch self {
        case .turns: metrics.turns
        case .posts: metrics.posts
        case .wakes: metrics.wakes
        case .parks: metrics.parks
        case .fired: metrics.fired
        case .cancelled: metrics.cancelled
        case .missed: metrics.missed
        case .refused: metrics.refused
        }
    }
}

/// The values that were published so far.
struct PublishedMetrics {
    private var counters = LoopCounter.allCases.map { _ in 0 }
    private var busyNanoseconds = 0
    private var lateness: [Int] = []

    /// Returns what is new in `metrics`, and counts it as published.
    mutating func advance(to metrics: LoopMetrics) -> MetricsNews {
        let buckets = metrics.lateness.buckets
        if lateness.isEmpty { lateness = buckets.map { _ in 0 } }
        return MetricsNews(
            increments: zip(LoopCounter.allCases, counters.indices).map {
                Self.raise(&counters[$1], to: $0.value(in: metrics))
            },
            busyNanoseconds: Self.raise(&busyNanoseconds, to: metrics.busyNanoseconds),
            pending: metrics.pending,
            lateness: zip(buckets, lateness.indices).map { Self.raise(&lateness[$1], to: $0) })
    }

    /// Returns the difference, and keeps the higher value: of two reports at the same time, the
    /// first to read the counters may be the last to come here.
    private static func raise(_ value: inout Int, to other: Int) -> Int {
        let difference = max(0, other - value)
        value += difference
        return difference
    }
}
#endif
