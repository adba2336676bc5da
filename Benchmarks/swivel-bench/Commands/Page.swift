// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit

struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the page of an earlier run, or the tables of README.md.")

    @Argument(help: "The rows of the run, which --json has written.")
    var rows: String

    @Option(help: "Write the page to this file.")
    var html: String?

    @Option(help: "Write README's tables into this file, between the lines that mark their place.")
    var readme: String?

    @Option(help: "Budgets to show next to the rows, instead of the checkout's.")
    var budgets: String?

    func run() throws {
        let report = try Files.report(at: rows)
        if let readme {
            try Files.write(
                ReadmeTables.markdown(report), between: ReadmeTables.marks, of: readme)
        }
        guard readme == nil || html != nil else { return }
        try Output.parse(html.map { ["--html", $0] } ?? []).write(
            report, budgets: Checkout().budgetsIfAny(at: budgets))
    }
}
