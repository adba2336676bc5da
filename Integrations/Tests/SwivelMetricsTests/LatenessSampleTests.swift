// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SwivelMetrics

@Suite struct LatenessSampleTests {
    @Test func upToTheLimitEveryFireIsChosen() {
        #expect(LatenessSample.thin([]) == [])
        #expect(LatenessSample.thin([0, 0]) == [0, 0])
        #expect(LatenessSample.thin([3, 0, 7], to: 10) == [3, 0, 7])
    }

    @Test func aboveItTheSharesStay() {
        #expect(LatenessSample.thin([600, 0, 300, 100], to: 10) == [6, 0, 3, 1])
        #expect(LatenessSample.thin([1_500_000, 500_000], to: 1000) == [750, 250])
    }

    @Test func theLatestFireIsChosen() {
        #expect(LatenessSample.thin([1_000_000, 0, 1, 0], to: 10) == [9, 0, 1, 0])
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func asManyAsTheLimitAreChosenAndNoneThatIsNotThere(_ seed: UInt64) {
        var random = Steps(state: seed)
        let buckets = (0..<40).map { _ in Int(random.next() % 5) * Int(random.next() % 100_000) }
        let limit = 1 + Int(random.next() % 1000)
        let chosen = LatenessSample.thin(buckets, to: limit)
        #expect(chosen.reduce(0, +) == min(limit, buckets.reduce(0, +)), "seed \(seed)")
        #expect(zip(chosen, buckets).allSatisfy { $0 >= 0 && $0 <= $1 }, "seed \(seed)")
    }

    /// SplitMix64.
    private struct Steps {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
