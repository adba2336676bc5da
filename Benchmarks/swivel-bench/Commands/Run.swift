// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Rivals

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run Swivel next to its rivals; print the rows and write a page.",
        discussion: "Exits with 0, or with 2 if a contest could not be run or counted wrong.")

    @OptionGroup var choice: Choice

    @OptionGroup var measuring: Measuring

    @OptionGroup var output: Output

    @Flag(help: "Fewer operations, and no variants or rivals that take long.")
    var quick = false

    @Option(help: "Budgets to show next to the rows, instead of the checkout's.")
    var budgets: String?

    func run() throws {
        let checkout = Checkout()
        let budgets = try checkout.budgetsIfAny(at: budgets)
        // A quick run has no time for programs of their own, unless they are named.
        let passedOver = quick && choice.rivals == nil ? ChildRival.present.map(\.name) : []
        let contests = try choice.selected(Plan(isQuick: quick))
            .map { contest in contest.keeping { !passedOver.contains($0.name) } }
            .filter { !$0.rivals.isEmpty }
        guard !contests.isEmpty else {
            throw ValidationError("no contest of this build has all that these options ask for")
        }
        let missing = passedOver.map {
            MissingRival($0, "run without --quick, or name it with --rivals")
        }
        let report = measuring.report(contests, isQuick: quick, checkout, missing: missing)
        // Only what was measured is judged.
        let keys = Set(contests.flatMap(\.rowKeys))
        let judged = Budgets(budgets.budgets.filter { keys.contains($0.key) })
        print(Tables.results(report, budgets: judged))
        print(Tables.losses(report))
        try output.write(report, budgets: judged)
        let check = BudgetCheck(report, against: judged)
        for rival in report.missing { print("\(rival.name) did not take part: \(rival.remedy).") }
        if let load = Surroundings.load() {
            print("The machine is not idle (load \(Figures.short(load))): trust no single figure.")
        }
        if !check.failing.isEmpty { print(Tables.findings(check.failing), terminator: "") }
        print(Tables.verdict(report, check))
        if !report.failures.isEmpty { throw ExitCode(2) }
    }
}
