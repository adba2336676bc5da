// SPDX-License-Identifier: Apache-2.0
/// Delays drawn before anything is measured, one table for all sides. It is never freed: a run
/// makes a handful.
package struct Delays: @unchecked Sendable {
    // `@unchecked` because the memory is written before the value exists and never again.
    package let durations: UnsafePointer<Duration>
    package let nanoseconds: UnsafePointer<Int>
    package let milliseconds: UnsafePointer<UInt32>
    /// How many there are less one: `index & mask` is always a place.
    package let mask: Int

    /// Random deadlines of 1 to 60 s, as far away as timeouts are.
    package static let far = Delays(1_000_000_000..<60_000_000_000, seed: 1)
    /// Random deadlines within 100 ms.
    package static let near = Delays(1_000_000..<100_000_000, seed: 2)
    /// One hour, like timeouts that are hardly ever reached.
    package static let hour = Delays(3_600_000_000_000..<3_600_000_000_001, seed: 3)

    package init(_ range: Range<Int>, seed: UInt64) {
        let count = 4_096
        var random = SplitMix(seed: seed)
        let values = (0..<count).map { _ in Int.random(in: range, using: &random) }
        durations = Self.keep(values.map { .nanoseconds($0) })
        nanoseconds = Self.keep(values)
        // Rounded up, as every caller of libuv must.
        milliseconds = Self.keep(values.map { UInt32(($0 + 999_999) / 1_000_000) })
        mask = count - 1
    }

    private static func keep<Element>(_ values: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: values.count)
        memory.initialize(from: values, count: values.count)
        return UnsafePointer(memory)
    }
}

/// Random choices among `count` places, drawn before anything is measured.
package final class Picks: @unchecked Sendable {
    // `@unchecked` because the memory is written before the object exists and never again.
    package let indices: UnsafePointer<UInt32>
    package let mask: Int

    /// Enough choices that a million places do not shrink to those that a short table names.
    ///
    /// - Parameter isRandom: otherwise one place after the other.
    package init(below count: Int, isRandom: Bool = true, seed: UInt64 = 7) {
        let length = 1 << 18
        var random = SplitMix(seed: seed)
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: length)
        for index in 0..<length {
            memory[index] =
                isRandom
                ? UInt32.random(in: 0..<UInt32(count), using: &random) : UInt32(index % count)
        }
        indices = UnsafePointer(memory)
        mask = length - 1
    }

    deinit { indices.deallocate() }
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014): the same numbers in every run.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
