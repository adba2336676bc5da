// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

/// Whole runs, made up: as many groups as a full run has, against two rivals each. The claims
/// hold for most of such runs: the seeds are fixed, so that chance fails no test.
struct ComparisonSurenessTests {
    private static let groups = 206

    /// A run whose ratios are 10 but for noise, and for a slowdown of one group.
    private static func report(
        rounds: Int, noise: Double, slowed: Int? = nil, by factor: Double = 1.3,
        _ random: inout SplitMix
    ) -> Report {
        var rows: [Row] = []
        for group in 0..<groups {
            for rival in ["Dispatch", "NIO"] {
                let ratios = (0..<rounds).map { _ in
                    10 * exp(noise * normal(&random)) / (group == slowed ? factor : 1)
                }
                rows.append(
                    Samples.rowChanged {
                        $0.variant = "\(group)"
                        $0.rival = rival
                        $0.rounds = rounds
                        $0.ratios = ratios
                        $0.ratio = Statistics.median(ratios)
                    })
            }
        }
        return Samples.report(rows)
    }

    /// A value of the normal distribution (Box and Muller, 1958).
    private static func normal(_ random: inout SplitMix) -> Double {
        let radius = (-2 * log(Double.random(in: Double.leastNormalMagnitude..<1, using: &random)))
            .squareRoot()
        return radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &random))
    }

    @Test(arguments: [0.02, 0.3])
    func aProgramComparedWithItselfIsTheSame(_ noise: Double) {
        var random = SplitMix(seed: 1)
        let found = (0..<20).count { _ in
            let first = Self.report(rounds: 5, noise: noise, &random)
            let second = Self.report(rounds: 5, noise: noise, &random)
            return Comparison(first, second).changes.contains { $0.verdict != .same }
        }
        // One in fifty is expected; four of twenty happen once in a thousand times at most.
        #expect(found < 4)
    }

    @Test(arguments: [(5, 0.02), (15, 0.06)])
    func aThirdMoreIsFoundAmongHundreds(_ rounds: Int, _ noise: Double) {
        var random = SplitMix(seed: 1)
        let before = Self.report(rounds: rounds, noise: noise, &random)
        let after = Self.report(rounds: rounds, noise: noise, slowed: 7, &random)
        let worse = Comparison(before, after).worse
        #expect(worse.contains { $0.variant == "7" })
        let better = Comparison(after, before).judged(.better)
        #expect(better.contains { $0.variant == "7" })
    }

    /// Ranks do not mind one round of fifteen that is far off.
    @Test func aThirdMoreIsFoundBesideARoundFarOff() {
        var random = SplitMix(seed: 1)
        let reports = ([nil, 7] as [Int?]).map { slowed in
            var report = Self.report(rounds: 15, noise: 0.03, slowed: slowed, &random)
            for index in report.rows.indices { report.rows[index].ratios?[3] = 1 }
            return report
        }
        let worse = Comparison(reports[0], reports[1]).worse
        #expect(worse.contains { $0.variant == "7" })
    }

    @Test func tooFewRoundsAreCountedAndSaid() {
        var random = SplitMix(seed: 1)
        let few = Self.report(rounds: 2, noise: 0.02, &random)
        let comparison = Comparison(few, Self.report(rounds: 2, noise: 0.02, slowed: 7, &random))
        #expect(comparison.judged(.unjudged).count == Self.groups)
        #expect(comparison.tellsNothing)
        #expect(comparison.summary.contains { $0.hasPrefix("206 cannot be judged") })
    }

    @Test func aFileWithoutRatiosIsNotJudged() {
        var random = SplitMix(seed: 1)
        let report = Self.report(rounds: 5, noise: 0.02, &random)
        var old = report
        for index in old.rows.indices { old.rows[index].ratios = nil }
        #expect(Comparison(old, report).tellsNothing)
        #expect(Comparison(report, old).tellsNothing)
        #expect(!Comparison(report, report).tellsNothing)
    }

    @Test func aRoundThatIsZeroIsNoChange() {
        var random = SplitMix(seed: 1)
        let report = Self.report(rounds: 5, noise: 0.02, &random)
        var other = report
        for rival in 0..<2 { other.rows[rival].ratios?[0] = 0 }
        #expect(Comparison(report, other).judged(.same).count == Self.groups)
    }

    /// Rounds of one loop that looks, and hardly sleeps, and of one that is woken each time, on a
    /// machine with other work: they vary by orders of magnitude, and are apart.
    @Test(
        arguments: [
            ([1.155, 1.177, 375.9, 451.2, 1.124], 1.125),
            ([.infinity, .infinity, 8, .infinity, 2], 0),
        ] as [([Double], Double)])
    func oneMoreSleepIsFoundAmongHundreds(_ ratios: [Double], _ sleeps: Double) {
        var random = SplitMix(seed: 1)
        let slower = [0.4325, 0.2854, 0.2611, 0.2256, 0.2688]
        let reports = [(sleeps, ratios), (4.522, slower)].map { median, ratios in
            var report = Self.report(rounds: 5, noise: 0.3, &random)
            for rival in 0..<2 {
                let middle = Statistics.median(ratios)
                report.rows[rival].metric = "sleeps"
                report.rows[rival].subjectMedian = median
                report.rows[rival].ratio = middle.isFinite ? middle : nil
                report.rows[rival].ratios = ratios
            }
            return report
        }
        let worse = Comparison(reports[0], reports[1]).worse
        #expect(worse.contains { $0.metric == "sleeps" })
        let better = Comparison(reports[1], reports[0]).judged(.better)
        #expect(better.contains { $0.metric == "sleeps" })
    }

    @Test func aSleepInAThousandOperationsIsNoChange() {
        let reports = [(0.0001, 50.0), (0.001, 5.0)].map { median, ratio in
            Samples.report([
                Samples.rowChanged {
                    $0.metric = "sleeps"
                    $0.subjectMedian = median
                    $0.ratio = ratio
                    $0.ratios = [ratio, ratio, ratio, ratio, ratio]
                }
            ])
        }
        #expect(Comparison(reports[0], reports[1]).changes.map(\.verdict) == [.same])
    }

    @Test func roundsThatWouldHideAThirdAreSaid() {
        var random = SplitMix(seed: 1)
        func blurred(_ rounds: Int, _ noise: Double) -> Int {
            let first = Self.report(rounds: rounds, noise: noise, &random)
            return Comparison(first, Self.report(rounds: rounds, noise: noise, &random))
                .blurred.count
        }
        #expect(blurred(5, 0.5) > Self.groups / 2)
        #expect(blurred(15, 0.02) == 0)
    }
}
