// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare two runs, the rows of which --json has written.",
        discussion: """
            Exits with 0 if nothing is worse in the second run, with 1 if something is, and with 2 if \
            the runs have no row in common.
            """)

    @Argument(help: "The rows of the run before.")
    var before: String

    @Argument(help: "The rows of the run after.")
    var after: String

    func run() throws {
        let reports = try [before, after].map {
            try Report(json: Data(contentsOf: URL(fileURLWithPath: $0)))
        }
        let comparison = Comparison(reports[0], reports[1])
        guard !comparison.changes.isEmpty else {
            print("The runs have no row in common.")
            throw ExitCode(2)
        }
        let worse = comparison.worse.count
        let better = comparison.changes.count { $0.verdict == .better }
        print(
            "\(reports[0].commit) → \(reports[1].commit): \(worse) worse, \(better) better, "
                + "\(comparison.changes.count - worse - better) the same.")
        if reports[0].machine != reports[1].machine {
            print("The runs are from different machines: counts can be compared, times hardly.")
        }
        let told = comparison.changes.filter { $0.verdict != .same }
        if !told.isEmpty { print(Tables.changes(told)) }
        if !comparison.unmatched.isEmpty {
            print("\(comparison.unmatched.count) rows are in one of the runs alone.")
        }
        if worse > 0 { throw ExitCode(1) }
    }
}
