// SPDX-License-Identifier: Apache-2.0
#if Metrics
internal import CoreMetrics

/// The metrics of one loop, in the backend.
struct LoopMetricsHandlers: Sendable {
    private let counters: [Counter]
    private let busy: FloatingPointCounter
    private let pending: Gauge
    private let lateness: Timer

    init(dimensions: [(String, String)], factory: any MetricsFactory) {
        counters = LoopCounter.allCases.map {
            Counter(label: "swivel_loop_\($0)_total", dimensions: dimensions, factory: factory)
        }
        busy = FloatingPointCounter(
            label: "swivel_loop_busy_seconds_total", dimensions: dimensions, factory: factory)
        pending = Gauge(label: "swivel_loop_pending", dimensions: dimensions, factory: factory)
        lateness = Timer(
            label: "swivel_loop_lateness_seconds", dimensions: dimensions,
            preferredDisplayUnit: .seconds, factory: factory)
    }

    func publish(_ news: MetricsNews) {
        for (counter, increment) in zip(counters, news.increments) where increment > 0 {
            counter.increment(by: increment)
        }
        busy.increment(by: Double(news.busyNanoseconds) / 1e9)
        pending.record(news.pending)
        for (bucket, fires) in LatenessSample.thin(news.lateness).enumerated() {
            // The bucket's upper end, so that no quantile is too low.
            let bound: Int64 = bucket == 0 ? 0 : 1 << Int64(bucket)
            for _ in 0..<fires { lateness.recordNanoseconds(bound) }
        }
    }
}
#endif
