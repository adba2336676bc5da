// SPDX-License-Identifier: Apache-2.0

/// A token bucket as an instant: when it will be full. Time is counted in nanoseconds times the
/// permits of a period, in which a permit costs exactly the period and nothing is ever rounded.
///
/// This is the generic cell rate algorithm in its virtual scheduling form: ITU-T I.371, annex A.
struct Bucket {
    let count: Int128
    let period: Int128
    let burst: Int
    private var full: Int128 = 0

    init(count: Int, period: UInt64, burst: Int) {
        self.count = Int128(count)
        self.period = Int128(period)
        self.burst = burst
    }

    /// Permits at an instant, which is in nanoseconds.
    func available(at nanoseconds: UInt64) -> Int {
        let missing = max(full - Int128(nanoseconds) * count, 0)
        // Not below none: the clocks of two threads may differ a little.
        return max(burst - Int((missing + period - 1) / period), 0)
    }

    /// Takes permits, if there are enough.
    mutating func take(_ permits: Int, at nanoseconds: UInt64) -> Bool {
        guard available(at: nanoseconds) >= permits else { return false }
        full = max(full, Int128(nanoseconds) * count) + Int128(permits) * period
        return true
    }

    /// The first instant at which there are enough, in nanoseconds.
    func instant(of permits: Int) -> UInt64 {
        let scaled = full + (Int128(permits) - Int128(burst)) * period
        return UInt64(clamping: (max(scaled, 0) + count - 1) / count)
    }
}
