// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a run against Budgets.json.",
        discussion: """
            Runs the contests that have gates, quickly. Exits with 0 if all hold, with 1 if one is \
            missed, and with 2 if one could not be judged: its row is missing or has fewer than \
            five rounds (three of a count), or counts were not asserted. A rival that this build \
            leaves out is named; without any rival nothing is judged, which is 2 as well.
            """)

    @Option(help: "Rows of an earlier run; without it, everything runs now.")
    var json: String?

    @OptionGroup var choice: Choice

    @OptionGroup var measuring: Measuring

    @Flag(help: "As many operations as `run` makes without --quick.")
    var full = false

    @Option(help: "Budgets to hold against, instead of the checkout's.")
    var budgets: String?

    @Option(help: "Write the rows of this run as JSON to this file.")
    var writeJson: String?

    @Option(help: "Write the gates as a table between the marks `<!-- budgets -->` of this file.")
    var into: String?

    func validate() throws {
        let asked = [
            ("--rounds", measuring.rounds != nil), ("--full", full),
            ("--slowed", measuring.slowed != nil), ("--write-json", writeJson != nil),
        ]
        for (name, isGiven) in asked where isGiven && json != nil {
            throw ValidationError("\(name) is about a run that is made now: leave out --json")
        }
    }

    func run() throws {
        let checkout = Checkout()
        let budgets = try choice.narrowed(checkout.budgets(at: budgets))
        guard !budgets.budgets.isEmpty else {
            throw ValidationError("no budget is about all that these options ask for")
        }
        if let into { try Files.requireMarks(.budgets, in: into) }
        let report =
            try json.map { try choice.narrowed(Files.report(at: $0)) }
            ?? measure(checkout, budgets)
        if let writeJson { try Files.write(report.json(), to: writeJson) }
        let check = BudgetCheck(report, against: budgets)
        if let into { try Files.write(Tables.markdown(check), between: .budgets, of: into) }
        print(Tables.findings(check.findings.filter { !$0.verdict.fails }))
        for rival in report.missing
        where budgets.budgets.contains(where: { $0.rival == rival.name }) {
            print("\(rival.name) did not take part: \(rival.text).")
        }
        if !check.failing.isEmpty { print(Tables.findings(check.failing), terminator: "") }
        print(check.judgesNothing ? "No gate could be judged." : check.summary)
        if check.judgesNothing || check.failing.contains(where: { $0.verdict != .missed }) {
            throw ExitCode(2)
        }
        if !check.failing.isEmpty { throw ExitCode(1) }
    }

    private func measure(_ checkout: Checkout, _ budgets: Budgets) throws -> Report {
        let keys = Set(budgets.budgets.map(\.key))
        let contests = try choice.selected(Plan(isQuick: !full)).map { contest in
            contest.keeping { rival in
                rival.metrics.contains {
                    keys.contains(
                        Row.key(contest.scenario, contest.variant, $0.name, rival.name))
                }
            }
        }
        let report = measuring.report(
            contests.filter { !$0.rivals.isEmpty }, isQuick: !full, checkout, missing: [])
        for failure in report.failures + report.unmeasured {
            FileHandle.standardError.write(Data("failed: \(failure)\n".utf8))
        }
        return report
    }
}
