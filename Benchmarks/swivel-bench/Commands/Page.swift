// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit

struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the page, the table or the rows of an earlier run once more.")

    @Argument(help: "The rows of the run, which --json has written.")
    var rows: String

    @OptionGroup var output: Output

    @Option(help: "Budgets to show beside the rows, instead of the checkout's.")
    var budgets: String?

    func run() throws {
        let report = try Files.report(at: rows)
        try output.write(report, budgets: Checkout().budgetsIfAny(at: budgets))
    }
}
