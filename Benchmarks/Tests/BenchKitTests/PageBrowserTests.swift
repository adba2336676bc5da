// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

/// The page of a full run in a real browser, on a desk and on a phone, light and dark: every text
/// of it can be read, in tables and unfolded details too.
///
/// `SWIVEL_PICTURES` names a folder where the pictures are kept, as `page-390-dark.png`. Without a
/// browser these tests are skipped, and say so.
struct PageBrowserTests {
    private static let page = HTML.page(FullReport.report, budgets: FullReport.budgets)

    @Test(.enabled(if: Browser.path != nil, Browser.missing), arguments: Browser.Setting.all)
    func everyTextCanBeRead(_ setting: Browser.Setting) throws {
        let sight = try Browser.look(at: Self.page, setting)
        #expect(sight.found == [])
        #expect(sight.isDark == setting.isDark)
        let picture = try Browser.picture(
            of: Self.page, setting, height: min(Int(sight.height), 20_000))
        #expect(picture.count > 100_000)
        if let folder = ProcessInfo.processInfo.environment["SWIVEL_PICTURES"] {
            let place = URL(fileURLWithPath: folder)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try picture.write(to: place.appending(path: "page-\(setting.testDescription).png"))
        }
    }

    @Test(.enabled(if: Browser.path != nil, Browser.missing), arguments: PageFault.all)
    func theBrowserFindsATextThatNobodyCanRead(_ fault: PageFault) throws {
        var report = PageTests.report()
        report.rows[0].rival = "NIO callback"
        let page = HTML.page(report, budgets: Budgets([]))
        let phone = Browser.Setting(width: 390, isDark: false)
        #expect(try Browser.look(at: page, phone).found == [])
        #expect(page.contains(fault.text))
        let bad = page.replacing(fault.text, with: fault.bad)
        #expect(try Browser.look(at: bad, phone).found.contains { $0.hasPrefix(fault.told) })
    }

    /// A phone's tables may be moved sideways, a desk's have to fit.
    @Test(.enabled(if: Browser.path != nil, Browser.missing))
    func aTableThatIsCutIsFoundOnADesk() throws {
        let page = HTML.page(PageTests.report(), budgets: Budgets([]))
            .replacing("<table>", with: "<table style=\"width:1300px\">")
        for setting in Browser.Setting.all {
            let found = try Browser.look(at: page, setting).found
            #expect(found.contains { $0.hasPrefix("DIV: ") } == (setting.width == 1_200))
        }
    }
}

/// A page's text, one in its place that nobody can read, and the beginning of what is told of it.
struct PageFault: Sendable, CustomTestStringConvertible {
    let text: String
    let bad: String
    let told: String

    init(_ text: String, _ bad: String, _ told: String) {
        self.text = text
        self.bad = bad
        self.told = told
    }

    var testDescription: String { told }

    static let all = [
        PageFault(
            "<h1>", "<h1 style=\"width:40px;overflow:hidden;white-space:nowrap\">", "H1: Swivel"),
        PageFault("<h1>", "<h1 style=\"height:10px;overflow:hidden\">", "H1: Swivel and"),
        PageFault("<h1>", "<h1 style=\"margin-left:-40px\">", "beyond: Swivel"),
        PageFault("</header>", "<p style=\"width:900px\">wide</p></header>", "page is "),
        PageFault("<p class=\"verdict\">", "<p style=\"margin-top:-25px\">", "over Swivel and its"),
        PageFault("<p class=\"verdict\">", "<p style=\"color:#999\">", "faint: Swivel is better"),
        PageFault("text-anchor=\"end\"", "text-anchor=\"end\" dx=\"-99\"", "text: "),
        PageFault(
            "<td>NIO", "<td><div style=\"width:20px;overflow:hidden;white-space:nowrap\">NIO",
            "DIV: NIO"),
    ]
}
