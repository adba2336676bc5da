// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

/// The files that a run is written to.
struct Output: ParsableArguments {
    @Option(help: "Write the rows as JSON to this file.")
    var json: String?

    @Option(help: "Write the page to this file.")
    var html = "swivel-bench.html"

    @Option(help: "Write the rows as a table in Markdown to this file.")
    var markdown: String?

    @Option(help: "Write the rows as comma-separated values to this file.")
    var csv: String?

    func write(_ report: Report, budgets: Budgets) throws {
        try write(HTML.page(report, budgets: budgets), to: html, as: "Page")
        if let json {
            try write(String(decoding: report.json(), as: UTF8.self), to: json, as: "Rows")
        }
        if let markdown {
            try write(Listing.markdown(report, budgets: budgets), to: markdown, as: "Table")
        }
        if let csv { try write(Listing.csv(report), to: csv, as: "Values") }
    }

    private func write(_ text: String, to path: String, as kind: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        print("\(kind): \(path)")
    }
}
