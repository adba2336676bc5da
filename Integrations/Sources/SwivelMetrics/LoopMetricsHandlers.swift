// SPDX-License-Identifier: Apache-2.0
#if Metrics
internal import CoreMetrics

/// The metrics of one loop, as the backend knows them.
struct LoopMetricsHandlers: Sendable {
    private static let quantiles: [(share: Double, name: String)] = [
        (0.5, "0.5"), (0.9, "0.9"), (0.99, "0.99"),
    ]

    private let counters: [Counter]
    private let pending: Gauge
    private let busyShare: Gauge
    private let lateness: [Gauge]

    init(dimensions: [(String, String)], factory: any MetricsFactory) {
        func gauge(_ name: String, _ more: [(String, String)] = []) -> Gauge {
            Gauge(label: "swivel_loop_\(name)", dimensions: dimensions + more, factory: factory)
        }
        counters = LoopCounter.allCases.map {
            Counter(label: "swivel_loop_\($0)", dimensions: dimensions, factory: factory)
        }
        pending = gauge("pending")
        busyShare = gauge("busy_share")
        lateness = Self.quantiles.map { gauge("lateness_seconds", [("quantile", $0.name)]) }
    }

    func publish(_ news: MetricsNews) {
        for (counter, increment) in zip(counters, news.increments) where increment > 0 {
            counter.increment(by: increment)
        }
        pending.record(news.pending)
        busyShare.record(news.busyShare)
        for (gauge, quantile) in zip(lateness, Self.quantiles) {
            gauge.record(news.lateness.quantile(quantile.share))
        }
    }
}
#endif
