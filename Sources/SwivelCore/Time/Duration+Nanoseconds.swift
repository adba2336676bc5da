// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension Duration {
    /// Whole nanoseconds, never fewer than the duration has: fractions are rounded up, negative
    /// durations are 0, and those beyond the range are `UInt64.max`.
    @inline(__always)
    package var nanosecondsRoundedUp: UInt64 {
        let attoseconds = self.attoseconds
        return swivel__attoseconds_to_ns(
            Int64(truncatingIfNeeded: attoseconds >> 64), UInt64(truncatingIfNeeded: attoseconds))
    }

    /// The same as a signed number, and ``Int64/max`` beyond its range.
    package var nanoseconds: Int64 { Int64(clamping: nanosecondsRoundedUp) }

    /// A duration of as many nanoseconds, as the core counts them.
    @inline(__always)
    package static func nanoseconds(_ count: UInt64) -> Duration {
        Duration(attoseconds: Int128(count) * 1_000_000_000)
    }
}
