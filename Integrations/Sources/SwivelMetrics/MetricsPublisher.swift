// SPDX-License-Identifier: Apache-2.0
#if Metrics
internal import CoreMetrics
internal import SwivelCore
internal import Synchronization

/// Publishes snapshots to a backend: of what only rises, the increments.
///
/// **Thread:** any. No backend is called under the lock.
final class MetricsPublisher<Snapshot>: Sendable {
    private let table: MetricsTable<Snapshot>
    private let counters: [Counter]
    private let times: [FloatingPointCounter]
    private let gauges: [Gauge]
    private let histogram: Timer
    private let published = Mutex(
        (counters: PublishedCounts(), times: PublishedCounts(), histogram: PublishedCounts()))

    init(
        _ table: MetricsTable<Snapshot>, dimensions: [(String, String)],
        factory: any MetricsFactory
    ) {
        func label(_ name: String) -> String { "\(table.prefix)_\(name)" }
        self.table = table
        counters = table.counters.map {
            Counter(label: label("\($0.key)_total"), dimensions: dimensions, factory: factory)
        }
        times = table.times.map {
            FloatingPointCounter(
                label: label("\($0.key)_seconds_total"), dimensions: dimensions, factory: factory)
        }
        gauges = table.gauges.map {
            Gauge(label: label($0.key), dimensions: dimensions, factory: factory)
        }
        histogram = Timer(
            label: label("\(table.histogram.name)_seconds"), dimensions: dimensions,
            preferredDisplayUnit: .seconds, factory: factory)
    }

    /// Publishes what has risen since the snapshot before, and the levels.
    func publish(_ snapshot: Snapshot) {
        let counts = table.counters.map { $0.value(snapshot) }
        let nanoseconds = table.times.map { $0.value(snapshot) }
        let buckets = table.histogram.value(snapshot).buckets
        let news = published.withLock {
            (
                counters: $0.counters.advance(to: counts),
                times: $0.times.advance(to: nanoseconds),
                histogram: $0.histogram.advance(to: buckets)
            )
        }
        for (counter, increment) in zip(counters, news.counters) where increment > 0 {
            counter.increment(by: increment)
        }
        for (time, increment) in zip(times, news.times) {
            time.increment(by: Double(increment) / 1e9)
        }
        for (gauge, row) in zip(gauges, table.gauges) { gauge.record(row.value(snapshot)) }
        for (bucket, values) in LatenessSample.thin(news.histogram).enumerated() {
            // The bucket's upper end, so that no quantile is too low.
            let bound: Int64 = bucket == 0 ? 0 : 1 << Int64(bucket)
            for _ in 0..<values { histogram.recordNanoseconds(bound) }
        }
    }
}
#endif
