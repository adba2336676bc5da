// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

struct PageTests {
    /// A report with all that a page may show, with long names.
    private static func report() -> Report {
        var report = Samples.report([
            Samples.row,
            Samples.rowChanged {
                $0.scenario = "wait"
                $0.variant = "operator, one busy thread, another loop's thread of a long name"
                $0.rival = "map(on: .immediate)"
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
        #expect(headline.verdict.hasPrefix("Swivel is better in 1 of 2 rows and worse in 1."))
        #expect(headline.cards.last?.figure == "489× worse")
        #expect(headline.cards.last?.isLoss == true)
        #expect(headline.text.contains("50× better"))
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
        #expect(page.contains("<b>489× worse</b>"))
        #expect(page.contains("two changes of thread a wait"))
        #expect(!page.contains(">0×"))
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
        let list = page[begin.upperBound..<end.lowerBound]
        #expect(!list.contains("<details"))
        for number in 0..<60 { #expect(list.contains("work \(number),")) }
        #expect(list.components(separatedBy: "cpu ").count == 61)
        #expect(page.components(separatedBy: "\"who\">cpu vs").count >= 61)
        #expect(page.components(separatedBy: "\"who\">wall vs").count >= 61)
    }

    @Test func whatFailedStandsOnThePage() {
        var report = Self.report()
        report.failures = ["churn / 1k: NIO: fired: 3, not 4"]
        #expect(HTML.page(report, budgets: Budgets([])).contains("<li>churn / 1k: NIO: fired: 3"))
    }

    @Test(arguments: [(99.9, 1_000, true), (99.9, 999, false), (99, 100, true), (10, 1, false)])
    func aPercentileIsToldOfEnoughTimes(_ percentile: Double, _ count: Int, _ isTold: Bool) {
        #expect(Sweep.isTold(percentile, of: count) == isTold)
    }

    @Test func missingRivalsAndWarningsStandOnThePage() {
        #expect(page.contains("<b>NIO</b>: build with --traits NIO"))
        #expect(page.contains("other processes used 30 % of the cores"))
        #expect(page.contains("href=\"Scenarios/Waits.swift\""))
    }

    @Test func everyCurveHasItsFigures() {
        #expect(page.components(separatedBy: "<svg").count == 4)
        #expect(page.contains("<th>p99.9</th>"))
        #expect(page.contains("<th>10k</th>"))
    }

    /// The page in a real browser, on a desk and on a phone: no text leaves its box, and nothing makes
    /// the page wider than the window.
    @Test(.enabled(if: Browser.path != nil), arguments: [1_200, 390])
    func nothingIsClippedInABrowser(_ width: Int) throws {
        #expect(try Browser.clipped(in: page, width: width) == [])
        #expect(try Browser.clipped(in: Self.largePage(), width: width) == [])
    }

    /// Pictures of the page, light and dark. `SWIVEL_PICTURES` names the folder where they are kept.
    @Test(.enabled(if: Browser.path != nil), arguments: [1_200, 390])
    func thePageHasADarkFace(_ width: Int) throws {
        let pictures = try [false, true].map { isDark in
            let picture = try Browser.picture(of: Self.largePage(), width: width, isDark: isDark)
            if let folder = ProcessInfo.processInfo.environment["SWIVEL_PICTURES"] {
                let name = "page-\(width)-\(isDark ? "dark" : "light").png"
                try picture.write(to: URL(fileURLWithPath: folder).appending(path: name))
            }
            return picture
        }
        #expect(pictures.allSatisfy { $0.count > 10_000 } && pictures[0] != pictures[1])
    }

    @Test(.enabled(if: Browser.path != nil))
    func theBrowserFindsATextThatIsClipped() throws {
        let bad = page.replacing(
            "<h1>", with: "<h1 style=\"width:40px;overflow:hidden;white-space:nowrap\">")
        #expect(try Browser.clipped(in: bad, width: 390).contains { $0.hasPrefix("H1") })
        let wide = page.replacing("</header>", with: "<p style=\"width:900px\">wide</p></header>")
        #expect(try !Browser.clipped(in: wide, width: 390).isEmpty)
        let svg = page.replacing("text-anchor=\"end\"", with: "text-anchor=\"end\" dx=\"-99\"")
        #expect(try Browser.clipped(in: svg, width: 390).contains { $0.hasPrefix("text") })
    }
}
