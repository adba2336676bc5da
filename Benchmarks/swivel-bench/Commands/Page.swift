// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the page of an earlier run, or its figures into the documentation.")

    @Argument(help: "The rows of the run, which --json has written.")
    var rows: String

    @Option(help: "Write the page to this file.")
    var html: String?

    @Option(help: "Write the figures of README.md into this file, between their marks.")
    var readme: String?

    @Option(help: "Write the table of docs/PERFORMANCE.md into this file, between its marks.")
    var performance: String?

    @Option(help: "Write the chart to this path, with `.svg` and `~dark.svg` behind it.")
    var picture: String?

    func run() throws {
        let report = try Files.report(at: rows)
        if let readme {
            try Files.write(ReadmeTables.figures(report), between: ReadmeTables.readme, of: readme)
        }
        if let performance {
            try Files.write(
                ReadmeTables.table(report), between: ReadmeTables.tables, of: performance)
        }
        for (suffix, isDark) in [("", false), ("~dark", true)] {
            guard let picture else { break }
            let file = Chart.file(report, isDark: isDark)
            try Files.write(Data(file.utf8), to: "\(picture)\(suffix).svg")
        }
        let isAll = (readme ?? performance ?? picture) == nil
        guard let html = html ?? (isAll ? "swivel-bench.html" : nil) else { return }
        let page = try HTML.page(report, budgets: Checkout().budgetsIfAny())
        try Files.write(Data(page.utf8), to: html)
        print("Page: \(html)")
    }
}
