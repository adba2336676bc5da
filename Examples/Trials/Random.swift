// SPDX-License-Identifier: Apache-2.0

/// Random numbers that depend on a seed alone, so that a trial can be repeated.
///
/// G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The sequence of this seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A time in the range.
    public mutating func time(in range: ClosedRange<Duration>) -> Duration {
        let share = Double.random(in: 0...1, using: &self)
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}
