// SPDX-License-Identifier: Apache-2.0

/// A generator whose runs can be repeated: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below `bound`. Slightly biased, and quick in debug builds.
    mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    mutating func below(_ bound: Int) -> Int { Int(below(UInt64(bound))) }

    /// True once in `times` calls, on average.
    mutating func once(in times: UInt64) -> Bool { below(times) == 0 }
}

/// A seed for this run, printed so that the run can be repeated: `SWIVEL_TEST_SEED` sets it.
func announcedSeed(_ test: String) -> UInt64 {
    let given = environment("SWIVEL_TEST_SEED").flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 1...UInt64(UInt32.max))
    print("\(test): SWIVEL_TEST_SEED=\(seed)")
    return seed
}
