// SPDX-License-Identifier: Apache-2.0
#if Metrics
/// Chooses which fires are recorded, since a histogram takes its values one by one.
enum LatenessSample {
    /// At most this many values are recorded by one report: about a millisecond of work for most
    /// backends.
    static let limit = 10_000

    /// Returns how many fires of each bucket are recorded: all, or evenly spaced ones in the order
    /// of their lateness if there are more than `limit`. The latest fire is always among them.
    ///
    /// - Parameters:
    ///   - buckets: Fires by lateness, as in `LoopMetrics.LatenessHistogram`.
    ///   - limit: How many values may be recorded.
    static func thin(_ buckets: [Int], to limit: Int = limit) -> [Int] {
        let fires = buckets.reduce(0, +)
        guard fires > limit else { return buckets }
        var seen = 0
        var chosen = 0
        return buckets.map { count in
            seen += count
            let upToHere = Int(Double(seen) / Double(fires) * Double(limit))
            defer { chosen = upToHere }
            return upToHere - chosen
        }
    }
}
#endif
