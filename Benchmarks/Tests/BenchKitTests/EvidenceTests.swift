// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

struct EvidenceTests {
    /// Values of printed tables: of one in twenty and of one in a thousand, to both sides.
    @Test(arguments: [
        (1, 12.706, 636.62), (2, 4.303, 31.599), (3, 3.182, 12.924), (4, 2.776, 8.61),
        (8, 2.306, 5.041), (9, 2.262, 4.781), (30, 2.042, 3.646),
    ])
    func studentsDistributionIsThatOfTheTables(
        _ degrees: Int, _ twentieth: Double, _ thousandth: Double
    ) {
        for (value, chance) in [(twentieth, 0.05), (thousandth, 0.001)] {
            let found = StudentsT.chance(beyond: value, degrees: degrees)
            #expect(abs(found / chance - 1) < 0.001)
            #expect(StudentsT.chance(beyond: -value, degrees: degrees) == found)
            let back = StudentsT.value(chance: chance, degrees: degrees)
            #expect(abs(back / value - 1) < 0.001)
        }
        #expect(StudentsT.chance(beyond: 0, degrees: degrees) == 1)
    }

    @Test func ranksTellExactlyHowRareTheyAre() {
        let values = [1.0, 2, 3, 4, 5]
        // One order of 252 to each side, and with one pair the other way round one more.
        #expect(RankSum.chance(values, values.map { $0 + 10 }) == 2.0 / 252)
        #expect(RankSum.chance(values.map { $0 + 10 }, values) == 2.0 / 252)
        #expect(RankSum.chance(values, [4.5, 6, 7, 8, 9]) == 4.0 / 252)
        #expect(RankSum.chance(values, values) == 1)
        // Printed tables set the limit of one in twenty at 23 pairs of 100.
        let ten = (1...10).map { Double($0) }
        #expect(RankSum.chance(ten, ten.map { $0 - 3 }) > 0.05)
        #expect(RankSum.chance(ten, ten.map { $0 - 3.5 }) < 0.05)
        let many = (1...45).map { Double($0) }
        #expect(RankSum.chance(many, many.map { $0 + 45 }) < 1e-20)
    }

    @Test func holmAcceptsUpToTheFirstThatIsNotSure() {
        #expect(Holm.sure([0.5, 0.001, 0.024], within: 0.05) == [false, true, true])
        #expect(Holm.sure([0.017, 0.018, 0.019], within: 0.05) == [false, false, false])
        #expect(Holm.sure([], within: 0.05) == [])
    }

    @Test func roundsThatAgreeAreNotInfinitelySure() throws {
        let same = try #require(Evidence([5, 5, 5], [5, 5, 5]))
        #expect(same.chance == 1)
        let apart = try #require(Evidence([5, 5, 5, 5, 5], [4, 4, 4, 4, 4]))
        #expect(apart.chance > 0 && apart.chance < 0.001)
        let least = try #require(apart.leastFactor(within: 0.001))
        #expect(least > 1 && least < 1.25)
    }

    @Test func aRoundThatIsZeroLeavesTheRanks() throws {
        let evidence = try #require(Evidence([.infinity, 9, 8, .infinity, 7], [1, 0, 2, 3, 1]))
        #expect(evidence.chance == 2.0 / 252)
        #expect(evidence.isSeparate)
        #expect(evidence.leastFactor(within: 0.001) == nil)
        let mixed = try #require(Evidence([.infinity, 9, 8, 1, 7], [1, 0, 2, 3, 1]))
        #expect(!mixed.isSeparate)
    }

    @Test func fourRoundsAreNeverSeparate() throws {
        #expect(try !#require(Evidence([9, 9, 9, 9], [1, 1, 1, 1])).isSeparate)
    }

    @Test func tooFewRoundsAreNoEvidence() {
        #expect(Evidence(nil, [1, 2, 3]).map(\.chance) == nil)
        #expect(Evidence([1, 2], [1, 2, 3]).map(\.chance) == nil)
    }
}
