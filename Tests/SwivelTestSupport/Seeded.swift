// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore

/// Random numbers that can be had again: the seed is printed, and `SWIVEL_TEST_SEED` sets it.
package struct Seeded: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// A generator for the test that is named.
    package init(for test: String = #function) {
        let given = getenv("SWIVEL_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? .random(in: .min ... .max)
        print("\(test): seed \(seed)")
        self.init(seed: seed)
    }

    package init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    package mutating func next() -> UInt64 { numbers.next() }

    /// Another generator, for another thread.
    package mutating func split() -> Seeded { Seeded(seed: next()) }

    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
