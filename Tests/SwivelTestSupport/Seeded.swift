// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Random numbers that can be had again: the seed is printed, and `SWIVEL_TEST_SEED` sets it.
///
/// SplitMix64: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
package struct Seeded: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator for the test that is named.
    package init(for test: String = #function) {
        let given = getenv("SWIVEL_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? .random(in: .min ... .max)
        print("\(test): seed \(seed)")
        self.init(seed: seed)
    }

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Another generator, for another thread.
    package mutating func split() -> Seeded {
        Seeded(seed: next())
    }

    package mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }
}
