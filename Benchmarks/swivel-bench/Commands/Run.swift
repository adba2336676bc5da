// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation
internal import Rivals

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run Swivel next to its rivals; print the verdict and write a page.",
        discussion:
            "Exits with 0, or with 2 if a contest broke or counted wrong; the last line says so.")

    @OptionGroup var choice: Choice

    @OptionGroup var measuring: Measuring

    @Option(help: "Write the rows as JSON to this file.")
    var json: String?

    @Option(help: "Write the page to this file.")
    var html = "swivel-bench.html"

    @Flag(help: "Fewer operations, and no variants or rivals that take long.")
    var quick = false

    @Flag(help: "Print every row and every loss, too.")
    var tables = false

    func run() throws {
        let checkout = Checkout()
        let budgets = try checkout.budgetsIfAny()
        // A quick run has no time for programs of their own, unless they are named.
        let passedOver = quick && choice.rivals == nil ? ChildRival.present.map(\.name) : []
        let contests = try choice.selected(Plan(isQuick: quick))
            .map { contest in contest.keeping { !passedOver.contains($0.name) } }
            .filter { !$0.rivals.isEmpty }
        guard !contests.isEmpty else {
            throw ValidationError("no contest of this build has all that these options ask for")
        }
        let missing = passedOver.map { Note($0, "run without --quick, or name it with --rivals") }
        let report = measuring.report(contests, isQuick: quick, checkout, missing: missing)
        // Only what was measured is judged.
        let keys = Set(contests.flatMap(\.rowKeys))
        let judged = Budgets(budgets.budgets.filter { keys.contains($0.key) })
        let check = BudgetCheck(report, against: judged)
        if tables { print(Tables.results(report, budgets: judged), Tables.losses(report)) }
        print(Tables.summary(report, check))
        // The rows first: the page can be made from them, and they from nothing.
        if let json { try Files.write(report.json(), to: json) }
        try Files.write(Data(HTML.page(report, budgets: judged).utf8), to: html)
        print("Page: \(html)\(json.map { "; rows: \($0)" } ?? "")")
        print(Tables.closing(report, check))
        if report.fault != nil { throw ExitCode(2) }
    }
}
