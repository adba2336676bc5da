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
        // The rows first: everything else can be made from them, and they from nothing.
        if let json { try write(report.json(), to: json, as: "Rows") }
        let sources = PageSources(checkout: Checkout().root, page: URL(fileURLWithPath: html))
        try write(HTML.page(report, budgets: budgets, sources: sources), to: html, as: "Page")
        if let markdown {
            try write(Listing.markdown(report, budgets: budgets), to: markdown, as: "Table")
        }
        if let csv { try write(Listing.csv(report), to: csv, as: "Values") }
    }

    private func write(_ text: String, to path: String, as kind: String) throws {
        try write(Data(text.utf8), to: path, as: kind)
    }

    private func write(_ content: Data, to path: String, as kind: String) throws {
        try Files.write(content, to: path)
        print("\(kind): \(path)")
    }
}
