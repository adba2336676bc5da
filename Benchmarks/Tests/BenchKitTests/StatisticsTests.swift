// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

struct StatisticsTests {
    @Test func medianIsTheMiddleOfAnOddNumber() {
        #expect(Statistics.median([9, 1, 5]) == 5)
    }

    @Test func medianIsBetweenTheMiddleTwoOfAnEvenNumber() {
        #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
    }

    @Test func medianOfNothingIsNoNumber() {
        #expect(Statistics.median([]).isNaN)
    }

    @Test func medianIgnoresOneOutlier() {
        #expect(Statistics.median([10, 11, 12, 13, 1_000_000]) == 12)
    }

    @Test func medianOfInfinitiesIsInfinite() {
        #expect(Statistics.median([.infinity, .infinity, 1]) == .infinity)
        #expect(Statistics.median([1, .infinity]) == .infinity)
    }

    @Test func medianBesideInfinitiesIsItself() {
        #expect(Statistics.median([0.5, 0.7, 0.8, .infinity, .infinity]) == 0.8)
        #expect(Statistics.median([.infinity, 1, 1, .infinity, 1]) == 1)
        #expect(Statistics.quantile(0.25, of: [1, 2, .infinity, .infinity, .infinity]) == 2)
    }

    @Test func spreadIsTheInterquartileRangeOverTheMedian() {
        #expect(Statistics.spread([8, 9, 10, 11, 12]) == 0.2)
        #expect(Statistics.spread([5, 5, 5]) == 0)
    }

    @Test func spreadOfAZeroMedianIsZero() {
        #expect(Statistics.spread([0, 0, 0]) == 0)
    }

    @Test func roundingKeepsFourDigits() {
        #expect(Statistics.rounded(123_456) == 123_500)
        #expect(Statistics.rounded(0.123_456) == 0.1235)
        #expect(Statistics.rounded(0) == 0)
        #expect(Statistics.rounded(.infinity) == .infinity)
    }

    @Test func ratioAboveOneMeansThatTheSubjectIsBetter() {
        #expect(Metric.cpu.ratio(subject: 10, rival: 30) == 3)
        #expect(Metric.ticks.ratio(subject: 100, rival: 50) == 2)
        #expect(Metric.early.ratio(subject: 0, rival: 0) == 1)
        #expect(Metric.early.ratio(subject: 0, rival: 4) == .infinity)
        #expect(Metric.early.ratio(subject: 4, rival: 0) == 0)
    }

    @Test func latenessCountsEarlyFiresAndTheMiddle() throws {
        var lateness = Lateness()
        for nanoseconds in [-5, 10, 20, 30, 1_000] as [Int64] { lateness.record(nanoseconds) }
        #expect(lateness.early == 1)
        #expect(lateness.count == 5)
        #expect(lateness.percentile(50) == 20)
        let measured = try #require(lateness.measurement[.p99])
        #expect(measured >= 999)
    }

    @Test func theMediansIntervalIsAsWideAsItsConfidenceNeeds() {
        func interval(_ count: Int) -> ClosedRange<Double> {
            Statistics.medianInterval((1...count).map(Double.init))
        }
        // Fewer than six tell no more than their ends; the rest as Conover's table has it.
        #expect(interval(5) == 1...5)
        #expect(interval(7) == 1...7)
        #expect(interval(10) == 2...9)
        #expect(interval(21) == 6...16)
        #expect(Statistics.medianInterval([]) == 0...0)
    }
}
