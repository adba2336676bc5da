// SPDX-License-Identifier: Apache-2.0
#if Metrics
/// Chooses which values of a histogram are recorded, since a backend takes them one by one.
enum LatenessSample {
    /// At most this many values are recorded by one report: about a millisecond of work for most
    /// backends.
    static let limit = 10_000

    /// Returns how many values of each bucket are recorded: all, or evenly spaced ones in their
    /// order if there are more than `limit`. The greatest value is always among them.
    ///
    /// - Parameters:
    ///   - buckets: Values by size, as in `LoopMetrics.LatenessHistogram`.
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
