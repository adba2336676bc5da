// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Rivals

/// All that a run measures, as the command line says.
struct Selection: ParsableArguments {
    @OptionGroup var choice: Choice

    @Flag(inversion: .prefixedNo, help: "Measure the curves of the scenarios that have some, too.")
    var curves = true

    @Flag(help: "Fewer operations, and no variants that take long: a minute and a half in all.")
    var quick = false

    @Option(help: .hidden)
    var slowed: Slowdown?

    /// Runs what is selected.
    func run() throws -> RoundRunner.Outcome {
        LineUp.slow(slowed)
        let plan = Plan(isQuick: quick)
        let contests = try contests(plan)
        let sweeps = sweeps(plan)
        guard !contests.isEmpty || !sweeps.isEmpty else {
            throw ValidationError("no contest of this build has all that these options ask for")
        }
        let times = choice.rounds ?? Budgets.fewestRounds
        guard quick else { return Lab.run(contests, sweeps, rounds: Rounds(times), patience: 60) }
        let rounds = Rounds(times, counts: Budgets.fewestRoundsOfCounts, curves: 1)
        return Lab.run(contests, sweeps, rounds: rounds, patience: 1)
    }

    /// The curves. One has every contender: it belongs to a run that leaves out neither rivals nor
    /// variants.
    func sweeps(_ plan: Plan) -> [Sweep] {
        guard curves, choice.rivals == nil, choice.variants.isEmpty else { return [] }
        return Growth.sweeps(plan)
            .filter { choice.scenarios.isEmpty || choice.scenarios.contains($0.name) }
            .map { $0.leaving(out: Set(passedOver.map(\.name))) }
    }

    /// The rivals that are there, and that a quick run has no time for unless it is asked for them.
    var passedOver: [MissingRival] {
        quick && choice.rivals == nil ? ChildRival.passedOver : []
    }

    /// The contests, without the rivals that are passed over.
    func contests(_ plan: Plan) throws -> [Contest] {
        let left = Set(passedOver.map(\.name))
        return try choice.contests(plan).map { $0.leaving(out: left) }
            .filter { !$0.rivals.isEmpty }
    }
}

extension Slowdown: ExpressibleByArgument {}
