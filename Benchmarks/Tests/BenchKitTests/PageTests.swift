// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

struct PageTests {
    /// A report with all that a page may show, with long names.
    static func report() -> Report {
        var report = Samples.report([
            Samples.row,
            Samples.rowChanged {
                $0.scenario = "wait"
                $0.variant = "operator, one busy thread, another loop's thread of a long name"
                $0.rival = "NIO idle handler"
                $0.metric = "preemptions"
                $0.ratio = 1 / 489
                ($0.low, $0.high) = (1 / 900, 1.2)
            },
        ])
        report.reasons = [report.rows[1].key: "two changes of thread a wait, and nobody looks"]
        report.missing = [MissingRival("NIO", "build with --traits NIO, as make bench does")]
        report.curves = [.outstanding, .producers, .percentile].map {
            Samples.curve($0, highest: 90_000)
        }
        report.check = MachineCheck(
            governor: nil, load: 3, steal: 4, others: 30, wakeP50: 60_000, wakeP99: 3_000_000,
            jitter: 40)
        report.check?.disturbed = 40
        report.scenarios = [
            ScenarioNote(name: "wait", summary: "wait for a loop", source: "Scenarios/Waits.swift")
        ]
        return report
    }

    private var page: String { HTML.page(Self.report(), budgets: Budgets([Samples.budget])) }

    @Test func theHeadlineTellsTheWorstLoss() {
        let headline = Headline(Self.report(), budgets: Budgets([Samples.budget]))
        let verdict = "Swivel is better than its rivals in 1 of 2 rows and worse in 1."
        #expect(headline.verdict.hasPrefix(verdict))
        #expect(headline.cards.last?.figure == "489× worse")
        #expect(headline.cards.last?.isLoss == true)
        #expect(headline.text.contains("50× better"))
    }

    /// A floor is nothing to win or to lose against, and its row is in the list all the same.
    @Test(arguments: Yardstick.all.sorted()) func floorsAreNotInTheHeadline(_ floor: String) {
        var report = Self.report()
        report.rows.append(
            Samples.rowChanged {
                $0.rival = floor
                $0.ratio = 1 / 1_000
            })
        let headline = Headline(report, budgets: Budgets([]))
        #expect(headline.verdict.contains("in 1 of 2 rows and worse in 1."))
        #expect(headline.cards.last?.figure == "489× worse")
        #expect(HTML.page(report, budgets: Budgets([])).contains("<b>1000× worse</b>"))
    }

    /// A loss in counts may be larger. It is in the list.
    @Test func theHeadlinesLossIsOneOfTime() {
        var report = Self.report()
        report.rows.append(
            Samples.rowChanged {
                $0.metric = "sleeps"
                $0.unit = "sleeps/op"
                $0.ratio = 1 / 5_000
            })
        let headline = Headline(report, budgets: Budgets([Samples.budget]))
        #expect(headline.cards.last?.figure == "489× worse")
        #expect(HTML.page(report, budgets: Budgets([])).contains("<b>5000× worse</b>"))
    }

    @Test func noLossIsHidden() {
        #expect(page.contains("<b>489× worse</b> <a href=\"#wait\">wait</a>"))
        #expect(page.contains("two changes of thread a wait"))
        #expect(!page.contains(">0×"))
    }

    /// Beside nothing at all every loss is infinite. The values tell how much it is.
    @Test func aLossBesideNothingHasItsValues() {
        let loss = Samples.rowChanged {
            ($0.metric, $0.unit) = ("allocations", "mallocs/op")
            ($0.subjectMedian, $0.rivalMedian, $0.ratio) = (2, 0, 0)
        }
        let page = HTML.page(Samples.report([loss]), budgets: Budgets([]))
        #expect(page.contains("allocations\u{A0}∞ (2 mallocs/op to 0 mallocs/op)</li>"))
    }

    /// A page with many losses more.
    private static func largePage() -> String {
        var report = Self.report()
        report.rows += (0..<60).flatMap { number in
            [Metric.cpu, .wall, .sleeps].map { metric in
                Samples.rowChanged {
                    $0.variant = "work \(number)"
                    $0.metric = metric.name
                    $0.ratio = 1 / Double(number + 2)
                }
            }
        }
        return HTML.page(report, budgets: Budgets([]))
    }

    /// However many there are: each is in the list, none a click away, and each time has a bar.
    @Test func manyLossesAreAllShown() throws {
        let page = Self.largePage()
        let begin = try #require(page.range(of: "<h2 id=\"losses\">"))
        let end = try #require(
            page.range(of: "</section>", range: begin.upperBound..<page.endIndex))
        let list = page[begin.upperBound..<end.lowerBound].replacing("\u{A0}", with: " ")
        #expect(!list.contains("<details"))
        for number in 0..<60 { #expect(list.contains("work \(number),")) }
        for metric in ["cpu", "wall", "sleeps"] {
            #expect(list.components(separatedBy: "\(metric) ").count == 61)
        }
        #expect(list.contains("<b>61× to 2× worse</b> <a href=\"#schedule-cancel\">"))
        #expect(list.contains("work 59, beside DispatchSource: cpu 61×, wall 61×, sleeps 61×"))
        #expect(page.components(separatedBy: "\"who\">cpu vs").count >= 61)
        #expect(page.components(separatedBy: "\"who\">wall vs").count >= 61)
    }

    /// A rival with a budget for one measure hides no loss of another.
    @Test func aLosingTimeHasABarBesideABudget() {
        let loss = Samples.rowChanged {
            $0.metric = "wall"
            $0.ratio = 0.5
        }
        let report = Samples.report([Samples.row, loss])
        let page = HTML.page(report, budgets: Budgets([Samples.budget]))
        #expect(page.contains("\"who\">cpu vs DispatchSource<"))
        #expect(page.contains("\"who\">wall vs DispatchSource<"))
    }

    /// Paper has no details to unfold, and no tables to move.
    @Test func printHasAllFigures() throws {
        let begin = try #require(page.range(of: "@media print"))
        let style = page[begin.upperBound...]
        #expect(style.contains("details::details-content { content-visibility: visible; }"))
        #expect(style.contains(".scroll { overflow: visible; }"))
    }

    @Test func whatFailedStandsOnThePage() {
        var report = Self.report()
        report.failures = ["churn / 1k: NIO: fired: 3, not 4"]
        #expect(HTML.page(report, budgets: Budgets([])).contains("<li>churn / 1k: NIO: fired: 3"))
    }

    @Test func missingRivalsAndWarningsStandOnThePage() {
        #expect(page.contains("<b>NIO</b>: build with --traits NIO"))
        #expect(page.contains("other processes used 30 % of the cores"))
    }

    @Test func aSourceIsALinkWhereItsFileIs() throws {
        #expect(page.contains("Source: Scenarios/Waits.swift<"))
        #expect(!page.contains("<a href=\"Scenarios"))

        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: UUID().uuidString)
        let checkout = folder.appending(path: "a checkout")
        try files.createDirectory(
            at: checkout.appending(path: "Scenarios"), withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        try Data().write(to: checkout.appending(path: "Scenarios/Waits.swift"))
        for (name, address) in [
            ("a checkout/page.html", "./Scenarios/Waits.swift"),
            ("a checkout/build/it/page.html", "../../Scenarios/Waits.swift"),
            ("elsewhere/page.html", "../a%20checkout/Scenarios/Waits.swift"),
        ] {
            let sources = PageSources(checkout: checkout, page: folder.appending(path: name))
            let html = HTML.page(Self.report(), budgets: Budgets([]), sources: sources)
            #expect(html.contains("<a href=\"\(address)\">Scenarios/Waits.swift</a>"))
        }
        let sources = PageSources(checkout: checkout, page: folder.appending(path: "page.html"))
        #expect(sources.html("Scenarios/<Gone>.swift") == "Scenarios/&lt;Gone&gt;.swift")
    }

    @Test func aLineThatFailedSaysSo() {
        var report = Self.report()
        report.failures = [Sweep.failureBeginning("producers") + "tokio at 4: fired: 3, not 4"]
        report.curves.append(
            Curve(name: "empty", summary: "All failed.", axis: .producers, unit: "ns", series: []))
        let page = HTML.page(report, budgets: Budgets([]))
        let failed = page.components(separatedBy: "<figure>")
            .filter { $0.contains("<p class=\"failed\">Failed: tokio at 4: fired: 3, not 4</p>") }
        #expect(failed.count == 1)
        #expect(failed.first?.contains("<b>producers</b>") == true)
        #expect(page.contains("or where the contender failed"))
    }

    @Test func anIntervalIsOneOfWinsOrOfBoth() {
        let intervals: [(Double, Double?)] = [(1.5, 2.5), (0.5, 2), (2, nil)]
        let rows = intervals.map { low, high in
            Samples.rowChanged { row in
                row.low = low
                row.high = high
            }
        }
        let table = PageFigures.table(rows, [:], Budgets([]))
            .replacing("\u{A0}", with: " ")
        for text in ["1.5× … 2.5×", "2× worse … 2× better", "2× … ∞"] {
            #expect(table.contains("<td>\(text)</td>"))
        }
    }

    @Test func everyCurveHasItsFigures() {
        #expect(page.components(separatedBy: "<svg").count == 4)
        #expect(page.contains("<th>p99.9</th>"))
        #expect(page.contains("<th>10k</th>"))
    }
}
