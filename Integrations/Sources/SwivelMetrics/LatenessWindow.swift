// SPDX-License-Identifier: Apache-2.0
#if Metrics
/// How late timers fired between two reports, in the buckets of
/// `LoopMetrics.LatenessHistogram`: bucket *k* ends below 2^k ns, bucket 0 was not late.
struct LatenessWindow: Equatable {
    let buckets: [Int]

    /// Returns an upper bound, in seconds, of the lateness of a share of the fires; 0 if there are
    /// none.
    ///
    /// - Parameter share: From 0 to 1.
    func quantile(_ share: Double) -> Double {
        let wanted = (Double(buckets.reduce(0, +)) * share).rounded(.up)
        var seen = 0.0
        for (bucket, fires) in buckets.enumerated() {
            seen += Double(fires)
            if seen >= wanted && fires > 0 {
                return bucket == 0 ? 0 : Double(sign: .plus, exponent: bucket, significand: 1e-9)
            }
        }
        return 0
    }
}
#endif
