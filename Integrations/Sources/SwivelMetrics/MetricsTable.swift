// SPDX-License-Identifier: Apache-2.0
#if Metrics
internal import SwivelCore

/// The metrics of one kind of snapshot: by the middle of each name, where its value is.
struct MetricsTable<Snapshot>: Sendable {
    typealias Values = KeyValuePairs<String, @Sendable (Snapshot) -> Int>

    /// The beginning of each name.
    let prefix: String
    /// Values that only rise.
    let counters: Values
    /// Times that only rise, in nanoseconds. They are published in seconds.
    var times: Values = [:]
    /// Levels.
    let gauges: Values
    /// Is published in seconds, value by value.
    let histogram: (name: String, value: @Sendable (Snapshot) -> LoopMetrics.LatenessHistogram)
}
#endif
