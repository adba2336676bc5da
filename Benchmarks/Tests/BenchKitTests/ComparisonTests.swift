// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct ComparisonTests {
    /// A pair against two rivals, its allocations, and the sleeps of a round trip.
    private let rows = [
        row("schedule-cancel", "cpu", "DispatchSource", 60, 1_800),
        row("schedule-cancel", "cpu", "NIO", 60, 1_800),
        row("allocations", "allocations", "DispatchSource", 1, 5),
        row("round-trip", "sleeps", "DispatchQueue", 1, 1),
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

    @Test(arguments: [("schedule-cancel", 200.0), ("allocations", 1), ("round-trip", 1)])
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
            budget("round-trip", "sleeps", .shareAtMost, 1.5, rival: "DispatchQueue"),
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
