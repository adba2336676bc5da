// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a run against Budgets.json.",
        discussion: """
            Fails on a missed budget, a missing row, fewer than five rounds, and a row whose counts \
            were not asserted.
            """)

    @Option(help: "Rows of an earlier run; without it, everything runs now.")
    var json: String?

    @OptionGroup var selection: Selection

    @Option(help: "Budgets to hold against, instead of the checkout's.")
    var budgets: String?

    @Option(help: "Write the rows of this run as JSON to this file.")
    var writeJson: String?

    func run() throws {
        let checkout = Checkout()
        let budgets = try checkout.budgets(at: budgets)
        let report = try report(checkout)
        if let writeJson {
            try report.json().write(to: URL(fileURLWithPath: writeJson))
        }
        let check = BudgetCheck(report, against: budgets)
        print(Tables.findings(check))
        let failing = check.findings.count { $0.verdict.fails }
        let aims = check.findings.count { $0.verdict == .aimReached }
        guard check.holds else {
            print("\(failing) of \(check.findings.count) do not hold.")
            throw ExitCode.failure
        }
        print("All \(check.findings.count) budgets hold; \(aims) reach their aim.")
    }

    private func report(_ checkout: Checkout) throws -> Report {
        if let json {
            return try Report(json: Data(contentsOf: URL(fileURLWithPath: json)))
        }
        return checkout.report(of: try selection.run(), isQuick: selection.quick)
    }
}
