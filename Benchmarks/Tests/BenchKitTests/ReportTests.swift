// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

struct ReportTests {
    private func object(_ report: Report) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: report.json())
        return try #require(object as? [String: Any])
    }

    @Test func aRowHasExactlyTheAgreedKeys() throws {
        let rows = try #require(
            try object(Samples.report([Samples.row]))["rows"] as? [[String: Any]])
        #expect(
            rows.map { Set($0.keys) } == [
                [
                    "scenario", "variant", "metric", "unit", "subject", "rival", "subjectMedian",
                    "rivalMedian", "ratio", "rounds", "spread",
                ]
            ])
    }

    @Test func theTopLevelNamesMachineVersionsAndCommit() throws {
        let top = try object(Samples.report([Samples.row]))
        #expect(top["commit"] as? String == "0123456789ab")
        #expect((top["machine"] as? [String: Any])?["processor"] as? String == "a processor")
        let versions = try #require(top["versions"] as? [String: String])
        #expect(versions == ["swift": "6.3.1", "libuv": "1.44.2", "swivel": "0.1.0"])
        #expect(top["asserted"] as? [String] == [Samples.row.key])
    }

    @Test func aRatioBeyondNumbersIsNull() throws {
        let report = Samples.report([Samples.rowChanged { $0.ratio = nil }])
        let rows = try #require(try object(report)["rows"] as? [[String: Any]])
        #expect(rows[0]["ratio"] is NSNull)
        #expect(try Report(json: report.json()) == report)
    }

    @Test func aReportSurvivesTheRoundTrip() throws {
        let report = Samples.report([Samples.row, Samples.rowChanged { $0.variant = "100k" }])
        #expect(try Report(json: report.json()) == report)
    }

    @Test func theTableShowsLossesLikeWins() {
        let loss = Samples.rowChanged {
            $0.variant = "100k"
            $0.ratio = 0.5
        }
        let table = Tables.results(
            Samples.report([Samples.row, loss]), budgets: Budgets([Samples.budget]))
        #expect(table.contains("50× better"))
        #expect(table.contains("2× worse"))
        #expect(table.contains("≥ 25×"))
    }

    @Test func aLossHasItsReasonBesideIt() {
        let loss = Samples.rowChanged { $0.variant = "100k" }
        var report = Samples.report([Samples.row, loss])
        report.reasons = [loss.key: "two threads"]
        let table = Tables.results(report, budgets: Budgets([]))
        #expect(table.split(separator: "\n").count { $0.contains("[1]") } == 2)
        #expect(table.hasSuffix("[1] two threads\n"))
        let page = HTML.page(report, budgets: Budgets([]))
        #expect(page.contains("<td>two threads</td></tr>"))
    }

    @Test func thePageStandsByItself() {
        let odd = Samples.rowChanged { $0.rival = "<script>&\"" }
        let page = HTML.page(Samples.report([Samples.row, odd]), budgets: Budgets([]))
        #expect(page.contains("class=\"win\""))
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("&lt;script&gt;&amp;&quot;"))
        for foreign in ["<script", "http://", "https://", "@import", "<link", "<img"] {
            #expect(!page.contains(foreign))
        }
    }

    @Test func figuresAreShort() {
        #expect(Figures.value(63.42, unit: "ns/op") == "63.4 ns/op")
        #expect(Figures.value(4_200, unit: "ns") == "4.2 µs")
        #expect(Figures.value(2_000_000, unit: "ns") == "2 ms")
        #expect(Figures.value(64, unit: "B/timer") == "64 B/timer")
        #expect(Figures.ratio(nil) == "∞ better")
        #expect(Figures.ratio(1 / 489) == "489× worse")
        #expect(Figures.ratio(0) == "∞ worse")
        #expect(Figures.short(0.00204) == "0.002")
        #expect(Figures.count(10_000_000) == "10M")
        #expect(Figures.short(100) == "100")
        #expect(Figures.short(0.5) == "0.5")
    }

    @Test func aRoundOfNothingStaysInfinite() throws {
        let report = Samples.report([Samples.rowChanged { $0.ratios = [1, .infinity, 2] }])
        let json = try report.json()
        #expect(try Report(json: json) == report)
        #expect(String(decoding: json, as: UTF8.self).contains("\"infinite\""))
    }
}
