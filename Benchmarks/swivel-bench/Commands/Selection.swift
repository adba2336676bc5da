// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation
internal import Rivals

/// The scenarios to run, as the command line says.
struct Selection: ParsableArguments {
    @Option(name: .customLong("scenario"), help: "A scenario to run; may be given again.")
    var scenarios: [String] = []

    @Option(
        help: """
            Rivals to compare with, with commas between them; `dispatch` is all of Dispatch, `nio` all \
            of NIO.
            """)
    var rivals: String?

    @Option(name: .customLong("variant"), help: "A variant to run; may be given again.")
    var variants: [String] = []

    @Option(help: "How many rounds (the default is 5).")
    var rounds: Int?

    @Flag(inversion: .prefixedNo, help: "Measure the curves of the scenarios that have some, too.")
    var curves = true

    @Flag(help: "Fewer operations, and no variants that take long: a minute and a half in all.")
    var quick = false

    @Option(help: .hidden)
    var slowed: Slowdown?

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("--rounds has to be at least 1") }
        let known = Catalogue.all.map { $0.name }
        for name in scenarios where !known.contains(name) {
            throw ValidationError("no scenario \(name): one of \(known.joined(separator: ", "))")
        }
        _ = try rivalNames()
    }

    /// Runs what is selected.
    func run() throws -> RoundRunner.Outcome {
        let plan = Plan(isQuick: quick)
        let contests = try contests(plan)
        let sweeps = sweeps(plan)
        let times = rounds ?? Budgets.fewestRounds
        return quick
            ? run(contests, sweeps, rounds: Rounds(times, counts: 3, curves: 1), patience: 1)
            : run(contests, sweeps, rounds: Rounds(times), patience: 60)
    }

    /// The curves. One has every contender: it belongs to a run that leaves out neither rivals nor
    /// variants.
    func sweeps(_ plan: Plan) -> [Sweep] {
        guard curves, rivals == nil, variants.isEmpty else { return [] }
        return Growth.sweeps(plan)
            .filter { scenarios.isEmpty || scenarios.contains($0.name) }
            .map { $0.leaving(out: Set(passedOver.map(\.name))) }
    }

    /// The rivals that are there, and that a quick run has no time for unless it is asked for them.
    var passedOver: [MissingRival] { quick && rivals == nil ? ChildRival.passedOver : [] }

    /// The contests, each with the rivals asked for; those left without any are passed over.
    func contests(_ plan: Plan) throws -> [Contest] {
        LineUp.slow(slowed)
        let chosen = Catalogue.all.filter { scenarios.isEmpty || scenarios.contains($0.name) }
        var contests = chosen.flatMap { $0.contests(plan) }
        contests = contests.filter { variants.isEmpty || variants.contains($0.variant) }
        if let names = try rivalNames() {
            contests = contests.map { $0.keeping(rivals: names) }
        }
        contests = contests.map { $0.leaving(out: Set(passedOver.map(\.name))) }
        return contests.filter { !$0.rivals.isEmpty }
    }

    /// - Parameter patience: seconds in which measurements may wait for neighbours to go.
    func run(
        _ contests: [Contest], _ sweeps: [Sweep], rounds: Rounds, patience: UInt64
    ) -> RoundRunner.Outcome {
        Memory.holdThresholds()
        defer { ChildRival.endAll() }
        let runner = RoundRunner(
            rounds: rounds, progress: ProgressLine(),
            neighbours: Neighbours(patience: patience * 1_000_000_000))
        let outcome = runner.run(contests, sweeps)
        for failure in outcome.failures {
            FileHandle.standardError.write(Data("failed: \(failure)\n".utf8))
        }
        return outcome
    }

    /// The budgets of what is selected.
    func narrowed(_ budgets: Budgets) -> Budgets {
        let names = try? rivalNames()
        return Budgets(
            budgets.budgets.filter { budget in
                (scenarios.isEmpty || scenarios.contains(budget.scenario))
                    && (variants.isEmpty || variants.contains(budget.variant))
                    && (names ?? [budget.rival]).contains(budget.rival)
            })
    }

    private func rivalNames() throws -> Set<String>? {
        guard let rivals else { return nil }
        var names: Set<String> = []
        for word in rivals.split(separator: ",") {
            let found =
                RivalName.names(for: String(word))
                + LineUp.names.filter { $0.lowercased() == word.lowercased() }
            guard !found.isEmpty else {
                let known = RivalName.all.joined(separator: ", ")
                throw ValidationError("no rival \(word): dispatch, nio, or one of \(known)")
            }
            names.formUnion(found)
        }
        return names
    }
}

extension Slowdown: ExpressibleByArgument {}
