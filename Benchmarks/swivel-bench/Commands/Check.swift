// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a run against Budgets.json.",
        discussion: """
            Runs the contests that have budgets, quickly, and those that miss one again, up to twice: \
            a budget is missed if it was missed each time. Exits with 0 if all hold, with 1 if one is \
            missed, and with 2 if one could not be judged: a row is missing, has fewer than five \
            rounds, or its counts were not asserted. A rival that this build leaves out is named.

            --beside-busy has another process keep a processor busy meanwhile. Rows about an idle \
            machine are left out then, and waits back to back are held to what is demanded of waits \
            beside a busy thread.
            """)

    @Option(help: "Rows of an earlier run; without it, everything runs now.")
    var json: String?

    @OptionGroup var selection: Selection

    @Flag(help: "As many operations as `run` makes without --quick.")
    var full = false

    @Flag(help: "Keep a processor busy, and hold what holds beside that.")
    var besideBusy = false

    @Option(help: "Seconds after which nothing is measured again.")
    var limit = 240

    @Option(help: "Budgets to hold against, instead of the checkout's.")
    var budgets: String?

    @Option(help: "Write the rows of this run as JSON to this file.")
    var writeJson: String?

    @Option(help: "Write the budgets and their figures as a table in Markdown to this file.")
    var markdown: String?

    func run() throws {
        let checkout = Checkout()
        let listed = try checkout.budgets(at: budgets)
        let all = besideBusy ? listed.besideBusy : listed
        let budgets = json == nil ? selection.narrowed(all) : all
        let busy = besideBusy && json == nil ? try BusyProcess() : nil
        defer { busy?.stop() }
        let report = try report(checkout, budgets)
        if let writeJson {
            try report.json().write(to: URL(fileURLWithPath: writeJson))
        }
        let check = BudgetCheck(report, against: budgets)
        if let markdown {
            try Data(Listing.markdown(check).utf8).write(to: URL(fileURLWithPath: markdown))
        }
        let findings = check.findings
        let failing = findings.filter { $0.verdict.fails }
        let aims = findings.count { $0.verdict == .aimReached }
        let absent = findings.count { $0.verdict == .missingRival }
        print(
            failing.isEmpty
                ? "All \(findings.count - absent) budgets hold; \(aims) reach their aim."
                : "\(failing.count) of \(findings.count) do not hold.")
        for rival in report.missing where absent > 0 {
            print("\(rival.name) did not take part: \(rival.remedy).")
        }
        for warning in report.check?.warnings ?? [] { print("Not a quiet machine: \(warning).") }
        if !failing.isEmpty { print(Tables.findings(failing)) }
        print(Tables.findings(findings.filter { !$0.verdict.fails }))
        if failing.contains(where: { $0.verdict != .missed }) { throw ExitCode(2) }
        if !failing.isEmpty { throw ExitCode(1) }
    }

    private func report(_ checkout: Checkout, _ budgets: Budgets) throws -> Report {
        if let json {
            return try Report(json: Data(contentsOf: URL(fileURLWithPath: json)))
        }
        let start = Clocks.wall()
        var machine = MachineCheck.now()
        let contests = try selection.contests(Plan(isQuick: !full, isCheck: true))
            .compactMap { $0.keeping { budgets.budget(for: $0) != nil } }
        let rounds = Rounds(selection.rounds ?? Budgets.fewestRounds)
        var outcome = selection.run(contests, [], rounds: rounds, patience: 60)
        for _ in 0..<2 {
            let seconds = Clocks.elapsed(from: start, to: Clocks.wall()) / 1_000_000_000
            let missed = self.missed(outcome, budgets)
            if missed.isEmpty || seconds > UInt64(max(0, limit)) { break }
            let again = contests.compactMap { $0.keeping(rows: missed.contains) }
            let second = selection.run(again, [], rounds: rounds, patience: 20)
            outcome.replace(missed, with: second)
        }
        machine.disturbed = outcome.disturbed
        return checkout.report(of: outcome, isQuick: !full, check: machine)
    }

    private func missed(_ outcome: RoundRunner.Outcome, _ budgets: Budgets) -> Set<String> {
        Set(
            outcome.rows.filter { row in
                budgets.budget(for: row.key).map { !$0.isReached($0.must, by: $0.figure(of: row)) }
                    ?? false
            }.map(\.key))
    }
}
