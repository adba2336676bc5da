// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct ReportMergedTests {
    private func row(_ own: Double, _ ratios: [Double]?) -> Row {
        Samples.rowChanged {
            $0.subjectMedian = own
            $0.ratios = ratios
            $0.ratio = ratios.map(Statistics.median)
            $0.rounds = ratios?.count ?? 5
        }
    }

    private func merged(_ rows: [Row]) -> Row? {
        let reports = rows.map { Samples.report([$0]) }
        return reports[0].merged(with: Array(reports.dropFirst())).row(Samples.row.key)
    }

    @Test func roundsAreAppendedInTheirOrder() throws {
        let row = try #require(
            merged([row(60, [3, 1, 2]), row(90, [9, 8, 7]), row(70, [5, 4, 6])]))
        #expect(row.ratios == [3, 1, 2, 9, 8, 7, 5, 4, 6])
        #expect(row.rounds == 9)
        #expect(row.ratio == 5)
        #expect(row.subjectMedian == 70)
        #expect(row.low == 2 && row.high == 8)
        #expect(row.spread == Statistics.spread([1, 2, 3, 4, 5, 6, 7, 8, 9]))
    }

    /// One turn of three breaks a promise.
    @Test func aPromiseIsThatOfTheWorstTurn() throws {
        let turns = [0.0, 1, 0].map { early in
            Samples.rowChanged {
                ($0.metric, $0.subjectMedian, $0.rivalMedian) = ("early", early, 0)
                $0.ratios = [1 - early]
                $0.ratio = 1 - early
            }
        }
        let reports = turns.map { Samples.report([$0]) }
        let merged = reports[0].merged(with: Array(reports.dropFirst()))
        let row = try #require(merged.rows.first)
        #expect(row.subjectMedian == 1)
        #expect(row.ratio == 0)
    }

    @Test func oneRunStaysAsItIs() {
        let report = Samples.report([Samples.row])
        #expect(report.merged(with: []) == report)
    }

    @Test func aRowWithoutRatiosLeavesNone() throws {
        let row = try #require(merged([row(0, nil), row(0, nil), row(1, [2, 2, 2])]))
        #expect(row.ratios == nil)
        #expect(row.ratio == nil)
        #expect(row.rounds == 13)
    }

    @Test func rowsOfSomeRunsAloneStay() {
        let other = Samples.rowChanged { $0.variant = "100k" }
        let merged = Samples.report([Samples.row]).merged(with: [Samples.report([other])])
        #expect(merged.rows == [Samples.row, other])
        #expect(merged.asserted == [Samples.row.key, other.key])
    }

    @Test func countsHaveToBeAssertedEachTime() {
        let report = Samples.report([Samples.row])
        let unasserted = Samples.report([Samples.row], asserted: [])
        #expect(report.merged(with: [unasserted]).asserted.isEmpty)
        #expect(report.merged(with: [report]).asserted == [Samples.row.key])
    }

    @Test func aPromiseIsJudgedByItsWorstRun() throws {
        let reports = [0.0, 1, 0].map { early in
            Samples.report([
                Samples.rowChanged {
                    $0.metric = "early"
                    $0.subjectMedian = early
                }
            ])
        }
        let merged = reports[0].merged(with: Array(reports[1...]))
        #expect(try #require(merged.rows.first).subjectMedian == 1)
    }

    @Test func missingRivalsAreNamedOnce() {
        var report = Samples.report([Samples.row])
        report.missing = [MissingRival("NIO", "build it")]
        #expect(report.merged(with: [report]).missing == report.missing)
    }
}
