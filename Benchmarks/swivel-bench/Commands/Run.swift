// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run Swivel beside its rivals; print a table and write a page.")

    @OptionGroup var selection: Selection

    @Option(help: "Write the rows as JSON to this file.")
    var json: String?

    @Option(help: "Write the page to this file.")
    var html = "swivel-bench.html"

    @Option(help: "Budgets to show beside the rows, instead of the checkout's.")
    var budgets: String?

    func run() throws {
        let checkout = Checkout()
        let budgets = (try? checkout.budgets(at: budgets)) ?? Budgets([])
        let start = Clocks.wall()
        var machine = MachineCheck.now()
        let usage = MachineCheck.Usage.now()
        let outcome = try selection.run()
        machine.note(since: usage)
        let report = checkout.report(of: outcome, isQuick: selection.quick, check: machine)
        let seconds = Double(Clocks.elapsed(from: start, to: Clocks.wall())) / 1_000_000_000

        print(Tables.results(report, budgets: budgets, reasons: outcome.reasons))
        print(summary(report, seconds: seconds))
        if let json {
            try report.json().write(to: URL(fileURLWithPath: json))
            print("Rows: \(json)")
        }
        let page = HTML.page(report, budgets: budgets, reasons: outcome.reasons)
        try Data(page.utf8).write(to: URL(fileURLWithPath: html))
        print("Page: \(html)")
        // A contest that could not be run, or counted wrong, is not a result.
        if !outcome.failures.isEmpty { throw ExitCode.failure }
    }

    private func summary(_ report: Report, seconds: Double) -> String {
        let won = report.rows.count { ($0.ratio ?? .infinity) > 1 }
        let even = report.rows.count { $0.ratio == 1 }
        let lost = report.rows.count - won - even
        return "\(report.rows.count) rows: Swivel is better in \(won), equal in \(even), worse in "
            + "\(lost). Medians of interleaved rounds; \(Figures.short(seconds)) s in all."
    }
}
