// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

/// The places that `check` writes its table to: the budgets, and how the run stands to them.
struct BudgetTable: ParsableArguments {
    @Option(help: "Write the budgets and their figures as a table in Markdown to this file.")
    var markdown: String?

    @Option(
        help: """
            Write the same table into this file, between the lines `<!-- budgets -->` and \
            `<!-- /budgets -->`.
            """)
    var into: String?

    /// Refuses a file without marks before minutes are spent on what belongs there.
    func validatePlace() throws {
        if let into { try Files.requireMarks(.budgets, in: into) }
    }

    func write(_ check: BudgetCheck) throws {
        let text = "\(check.summary)\n\n\(Listing.markdown(check))"
        if let markdown { try Files.write(Data(text.utf8), to: markdown) }
        if let into {
            // The lines of the table end the text; the marks leave an empty line behind them.
            try Files.write(String(text.dropLast()), between: .budgets, of: into)
        }
    }
}
