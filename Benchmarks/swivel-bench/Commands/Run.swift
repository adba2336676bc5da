// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run Swivel beside its rivals; print a table and write a page.",
        discussion: """
            Exits with 0, or with 2 if a contest could not be run or counted wrong.
            """)

    @OptionGroup var selection: Selection

    @OptionGroup var output: Output

    @Option(help: "Budgets to show beside the rows, instead of the checkout's.")
    var budgets: String?

    func run() throws {
        let checkout = Checkout()
        let budgets = try checkout.budgetsIfAny(at: budgets)
        let start = Clocks.wall()
        var machine = MachineCheck.now()
        let usage = MachineCheck.Usage.now()
        let outcome = try selection.run()
        machine.note(since: usage)
        machine.disturbed = outcome.disturbed
        var report = checkout.report(of: outcome, isQuick: selection.quick, check: machine)
        report.missing += selection.passedOver
        let seconds = Double(Clocks.elapsed(from: start, to: Clocks.wall())) / 1_000_000_000

        // The verdict first: whoever reads one line has read the result.
        print(Headline(report, budgets: budgets).text)
        for warning in machine.warnings { print("Not a quiet machine: \(warning).") }
        for rival in report.missing { print("\(rival.name) did not take part: \(rival.remedy).") }
        if machine.countsInstructions == false {
            print("Instructions are not counted: the processor or the kernel does not tell them.")
        }
        print("")
        print(Tables.results(report, budgets: budgets, width: Terminal.width))
        print("Medians of interleaved rounds; \(Figures.short(seconds)) s in all.")
        try output.write(report, budgets: budgets)
        // A contest that could not be run, or counted wrong, is not a result.
        if !outcome.failures.isEmpty { throw ExitCode(2) }
    }
}
