// SPDX-License-Identifier: Apache-2.0
#if Metrics
internal import SwivelCore

/// The difference between two reports, and the levels at the second one.
struct MetricsNews {
    /// In the order of ``LoopCounter/allCases``.
    let increments: [Int]
    let pending: Int
    let busyShare: Double
    let lateness: LatenessWindow
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

/// The values that a backend has heard of.
struct PublishedMetrics {
    private var counters: [Int] = []
    private var lateness: [Int] = []

    /// Returns what is new in `metrics`, and counts it as published.
    mutating func advance(to metrics: LoopMetrics) -> MetricsNews {
        MetricsNews(
            increments: Self.raise(
                &counters, to: LoopCounter.allCases.map { $0.value(in: metrics) }),
            pending: metrics.pending, busyShare: metrics.busyShare,
            lateness: LatenessWindow(buckets: Self.raise(&lateness, to: metrics.lateness.buckets)))
    }

    /// Returns the differences, and keeps the higher values: of two reports at the same time the
    /// one that has read first may come here last.
    private static func raise(_ values: inout [Int], to others: [Int]) -> [Int] {
        if values.isEmpty { values = [Int](repeating: 0, count: others.count) }
        let differences = zip(values, others).map { max(0, $1 - $0) }
        values = zip(values, differences).map { $0 + $1 }
        return differences
    }
}
#endif
