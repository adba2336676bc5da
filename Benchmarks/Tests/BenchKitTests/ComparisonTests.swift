// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct ComparisonTests {
    /// A pair against two rivals, its allocations, and the sleeps of a round trip.
    private let rows = [
        row("schedule-cancel", "cpu", "DispatchSource", 60, 1_800),
        row("schedule-cancel", "cpu", "NIO", 60, 1_800),
        row("allocations", "allocations", "DispatchSource", 1, 5),
        row("instructions", "instructions", "DispatchSource", 250, 4_000),
        row("round-trip", "sleeps", "DispatchQueue", 0.01, 1),
    ]

    private static func row(
        _ scenario: String, _ metric: String, _ rival: String, _ ours: Double, _ theirs: Double
    ) -> Row {
        Samples.rowChanged {
            $0.scenario = scenario
            $0.metric = metric
            $0.rival = rival
            set(&$0, ours, theirs)
        }
    }

    private static func set(_ row: inout Row, _ ours: Double, _ theirs: Double) {
        (row.subjectMedian, row.rivalMedian) = (ours, theirs)
        let ratio = theirs / ours
        row.ratio = ratio
        // One round is far off, as rounds sometimes are.
        row.ratios = [0.97, 1.04, 1, 0.3, 1.02].map { $0 * ratio }
    }

    /// The rows of a Swivel that needs so much more.
    private func slowed(_ scenario: String, by more: Double) -> Report {
        Samples.report(
            rows.map { row in
                var row = row
                if row.scenario == scenario {
                    Self.set(&row, row.subjectMedian + more, row.rivalMedian)
                }
                return row
            })
    }

    @Test(arguments: [
        ("schedule-cancel", 200.0), ("allocations", 1), ("instructions", 30), ("round-trip", 1),
    ])
    func aSlowerSwivelIsWorse(_ scenario: String, _ more: Double) {
        let comparison = Comparison(Samples.report(rows), slowed(scenario, by: more))
        #expect(comparison.worse.map(\.scenario) == [scenario])
        // The other way round it is better, and with itself it is the same.
        #expect(Comparison(slowed(scenario, by: more), Samples.report(rows)).worse.isEmpty)
        #expect(Comparison(Samples.report(rows), Samples.report(rows)).worse.isEmpty)
    }

    @Test(arguments: [("schedule-cancel", 200.0), ("allocations", 1), ("round-trip", 1)])
    func aSlowerSwivelMissesItsBudgets(_ scenario: String, _ more: Double) throws {
        let budgets = Budgets([
            budget("schedule-cancel", "cpu", .ratioAtLeast, 16),
            budget("allocations", "allocations", .valueExactly, 1),
            budget("round-trip", "sleeps", .shareAtMost, 0.5, rival: "DispatchQueue"),
        ])
        #expect(BudgetCheck(Samples.report(rows), against: budgets).holds)
        let check = BudgetCheck(slowed(scenario, by: more), against: budgets)
        let missed = check.findings.filter { $0.verdict == .missed }
        #expect(missed.map { $0.budget?.scenario } == [scenario])
    }

    @Test func aSlowerMachineIsNoSlowerSwivel() {
        let slower = Samples.report(
            rows.map { row in
                var row = row
                if row.metric == "cpu" {
                    Self.set(&row, row.subjectMedian * 2, row.rivalMedian * 2)
                }
                return row
            })
        #expect(Comparison(Samples.report(rows), slower).worse.isEmpty)
    }

    @Test func aRivalThatGotBetterIsNoSlowerSwivel() {
        var changed = rows
        Self.set(&changed[1], 60, 900)
        #expect(Comparison(Samples.report(rows), Samples.report(changed)).worse.isEmpty)
    }

    @Test(arguments: [("preemptions", 0.17, 1.14), ("sleeps", 0.17, 1.14), ("p99", 200, 900)])
    func twoMediansAreNoChange(_ metric: String, _ before: Double, _ after: Double) {
        // The medians lie far apart, and the rounds among each other.
        let reports = [(before, [6.0, 0.9, 8, 1.1, 5.5]), (after, [0.9, 7, 1, 0.8, 6])].map {
            median, ratios in
            Samples.report([
                Samples.rowChanged {
                    $0.metric = metric
                    $0.subjectMedian = median
                    $0.ratios = ratios
                    $0.ratio = Statistics.median(ratios)
                }
            ])
        }
        let comparison = Comparison(reports[0], reports[1])
        #expect(comparison.changes.map(\.verdict) == [.same])
        #expect(comparison.blurred == comparison.changes)
    }

    @Test func aFewBytesThatAreLeftAreNoise() {
        func report(_ bytes: Double) -> Report {
            Samples.report([
                Samples.rowChanged {
                    $0.metric = "left"
                    $0.subjectMedian = bytes
                    $0.ratio = nil
                }
            ])
        }
        #expect(Comparison(report(0), report(4.2)).changes.map(\.verdict) == [.same])
        #expect(Comparison(report(0), report(32)).changes.map(\.verdict) == [.worse])
    }

    @Test func rowsOfOneRunAloneAreNamed() {
        let comparison = Comparison(
            Samples.report(rows), Samples.report(Array(rows.dropFirst())))
        #expect(comparison.unmatched == [rows[0].key])
    }

    private func budget(
        _ scenario: String, _ metric: String, _ form: Budget.Form, _ must: Double,
        rival: String = "DispatchSource"
    ) -> Budget {
        Budget(
            scenario: scenario, variant: "1k", metric: metric, rival: rival, form: form, must: must)
    }
}
