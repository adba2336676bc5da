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

    func write(_ report: Report, budgets: Budgets) throws {
        // The rows first: the page can be made from them, and they from nothing.
        if let json { try Files.write(report.json(), to: json) }
        try Files.write(Data(HTML.page(report, budgets: budgets).utf8), to: html)
        print("Page: \(html)\(json.map { "; rows: \($0)" } ?? "")")
    }
}
