// SPDX-License-Identifier: Apache-2.0
@testable internal import BenchKit
internal import Testing

@testable internal import swivel_bench

/// The output of a run; Tests/Scripts/page checks the page itself.
struct PageTests {
    @Test func theTerminalsLinesAreFewAndTheLastOneSaysWhyTheRunFailed() {
        var report = Samples.report(
            Capability.all.map { capability in
                var row = Samples.row
                (row.scenario, row.ratio, row.metric) = (capability.scenario, 0.1, "cpu")
                return row
            })
        report.asserted = []
        report.failures = (1...9).map { "churn / \($0): Swivel: fired: 1, not 2" }
        report.unmeasured = (1...9).map { "burst / \($0): arming took longer than 240 ms" }
        report.missing = [Note("libev", "install it")]
        let check = BudgetCheck(report, against: Budgets([Samples.budget]))
        let verdict = Tables.verdict(report, check)
        let lines = Tables.summary(report, check).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 39 && lines[0] == verdict)
        let last = "\(verdict) The exit code is 2: churn / 1: Swivel: fired: 1, not 2; and 8 more."
        #expect(Tables.closing(report, check) == last)
    }

    @Test func everyScenarioMetricAndRivalIsExplainedAndShown() {
        let words = Set(Words.all(Samples.report()).map(\.0))
        for scenario in Catalogue.all {
            #expect(Capability.all.contains { $0.scenario == scenario.name }, "\(scenario.name)")
            for rival in scenario.contests(Plan(isQuick: false)).flatMap(\.rivals) {
                #expect(words.contains(rival.name), "\(rival.name)")
                #expect(words.isSuperset(of: rival.metrics.map(\.name)))
            }
        }
    }

    @Test func withoutARatioTheDifferenceIsPrinted() {
        var row = Samples.row
        (row.ratio, row.subjectMedian, row.rivalMedian, row.unit) = (nil, 0, 3, "mallocs/op")
        #expect(Figures.comparison(row) == "3 mallocs less" && row.outcome == .better)
        (row.ratio, row.subjectMedian, row.rivalMedian) = (0, 0.28, 0)
        #expect(Figures.comparison(row) == "0.28 mallocs more" && row.outcome == .worse)
    }

    @Test func thePageStandsByItself() {
        let report = Samples.report { $0.rival = "<script>&\"" }
        let page = HTML.page(report, budgets: Budgets([Samples.budget]))
        #expect(page.contains("&lt;script&gt;&amp;&quot;"))
        for foreign in ["<script", "http://", "https://", "@import", "<link", "<img"] {
            #expect(!page.contains(foreign))
        }
    }
}
