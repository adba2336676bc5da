// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a run against Budgets.json.",
        discussion: """
            Runs the contests that have budgets, quickly, and those that miss one again, up to \
            twice: a budget is missed if it was missed each time. What no neighbour changes is \
            measured once: allocations, instructions, early fires, ticks and drift. A contest \
            that ends with an error is run once more, unless Swivel has counted wrong. Exits with 0 if all hold, with 1 if one is missed, and with 2 \
            if one could not be judged: its row is missing or has fewer than five rounds (three \
            of a count), or counts were not asserted. A rival that this build leaves out is \
            named, and so is what this machine does not count; without anything else, nothing is \
            judged, which is 2 as well.

            --beside-busy has another process keep a processor busy meanwhile. Rows about an \
            idle machine are left out then, and waits back to back are held to what is demanded \
            of waits beside a busy thread.
            """)

    @Option(help: "Rows of an earlier run; without it, everything runs now.")
    var json: String?

    @OptionGroup var choice: Choice

    @Flag(help: "As many operations as `run` makes without --quick.")
    var full = false

    @Flag(help: "Keep a processor busy, and hold what holds beside that.")
    var besideBusy = false

    @Option(
        help: """
            Seconds after which nothing is measured again (the default is 240, and 1,800 with \
            --full).
            """)
    var limit: Int?

    @Option(help: "Budgets to hold against, instead of the checkout's.")
    var budgets: String?

    @Option(help: "Write the rows of this run as JSON to this file.")
    var writeJson: String?

    @OptionGroup var table: BudgetTable

    @Option(help: .hidden)
    var slowed: Slowdown?

    func validate() throws {
        guard json != nil else { return }
        let idle = [
            ("--rounds", choice.rounds != nil), ("--full", full), ("--limit", limit != nil),
            ("--slowed", slowed != nil), ("--write-json", writeJson != nil),
        ]
        for (name, isGiven) in idle where isGiven {
            throw ValidationError("\(name) is about a run that is made now: leave out --json")
        }
    }

    func run() throws {
        let checkout = Checkout()
        let listed = try checkout.budgets(at: budgets)
        let budgets = try choice.narrowed(besideBusy ? listed.besideBusy : listed)
        guard !budgets.budgets.isEmpty else {
            throw ValidationError("no budget is about all that these options ask for")
        }
        try table.validatePlace()
        let busy = besideBusy && json == nil ? try BusyProcess() : nil
        defer { busy?.stop() }
        var repeats = Repeats()
        let report = try report(checkout, budgets, &repeats)
        if let writeJson { try Files.write(report.json(), to: writeJson) }
        let check = BudgetCheck(report, against: budgets)
        try table.write(check)
        show(check, of: report)
        if json == nil { print(repeats.text) }
        let failing = check.findings.filter { $0.verdict.fails }
        if check.judgesNothing || failing.contains(where: { $0.verdict != .missed }) {
            throw ExitCode(2)
        }
        if !check.holds { throw ExitCode(1) }
    }

    private func show(_ check: BudgetCheck, of report: Report) {
        print(check.judgesNothing ? "No budget could be judged." : check.summary)
        if check.findings.contains(where: { $0.verdict == .missingRival }) {
            for rival in report.missing {
                print("\(rival.name) did not take part: \(rival.remedy).")
            }
        }
        for warning in report.check?.warnings ?? [] { print("Not a quiet machine: \(warning).") }
        let failing = check.findings.filter { $0.verdict.fails }
        if !failing.isEmpty { print(Tables.findings(failing)) }
        print(Tables.findings(check.findings.filter { !$0.verdict.fails }))
    }

    private func report(
        _ checkout: Checkout, _ budgets: Budgets, _ repeats: inout Repeats
    ) throws -> Report {
        if let json { return try choice.narrowed(Files.report(at: json)) }
        LineUp.slow(slowed)
        let start = Clocks.wall()
        var machine = MachineCheck.now()
        let usage = MachineCheck.Usage.now()
        let contests = try choice.contests(Plan(isQuick: !full, isCheck: true))
            .compactMap { $0.keeping { budgets.budget(for: $0) != nil } }
        var outcome = Lab.run(contests, rounds: rounds, patience: 60)
        for attempt in 0..<2 {
            let seconds = Clocks.elapsed(from: start, to: Clocks.wall()) / 1_000_000_000
            guard seconds <= UInt64(max(0, limit ?? (full ? 1_800 : 240))) else { break }
            // A contest that failed is run once more, one that misses a budget up to twice.
            let failed = attempt == 0 ? outcome.failed(of: contests) : []
            let missed = self.missed(outcome, budgets)
            if missed.isEmpty && failed.isEmpty { break }
            repeats.note(missed.union(failed.flatMap(\.rowKeys)).sorted())
            repeatRun(of: contests, missed, failed, &outcome)
        }
        machine.note(since: usage)
        machine.disturbed = outcome.disturbed
        return checkout.report(of: outcome, isQuick: !full, check: machine)
    }

    private var rounds: Rounds { Rounds(choice.rounds ?? Budgets.fewestRounds) }

    /// Measures the rows that miss, and the contests that failed, once more.
    private func repeatRun(
        of contests: [Contest], _ missed: Set<String>, _ failed: [Contest],
        _ outcome: inout RoundRunner.Outcome
    ) {
        if !failed.isEmpty {
            outcome.replace(failed, with: Lab.run(failed, rounds: rounds, patience: 20))
        }
        let missed = missed.subtracting(failed.flatMap(\.rowKeys))
        let again = contests.compactMap { $0.keeping(rows: missed.contains) }
        if !again.isEmpty {
            outcome.replace(missed, with: Lab.run(again, rounds: rounds, patience: 20))
        }
    }

    private func missed(_ outcome: RoundRunner.Outcome, _ budgets: Budgets) -> Set<String> {
        Set(
            outcome.rows.filter { row in
                // An early timer, or one more allocation, is no accident.
                guard Metric.named(row.metric)?.isExact != true else { return false }
                return budgets.budget(for: row.key).map {
                    !$0.isReached($0.must, by: $0.figure(of: row))
                }
                    ?? false
            }.map(\.key))
    }
}
