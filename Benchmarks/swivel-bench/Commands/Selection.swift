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
        help: "Rivals to compare with, with commas between them; `dispatch` is all of Dispatch.")
    var rivals: String?

    @Option(name: .customLong("variant"), help: "A variant to run; may be given again.")
    var variants: [String] = []

    @Option(help: "How many rounds (the default is 7, or 5 with --quick).")
    var rounds: Int?

    @Flag(inversion: .prefixedNo, help: "Measure the curves of the scenarios that have some, too.")
    var curves = true

    @Flag(help: "Fewer operations, and no variants that take long: a minute or so in all.")
    var quick = false

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("--rounds has to be at least 1") }
        let known = Catalogue.all.map { $0.name }
        for name in scenarios where !known.contains(name) {
            throw ValidationError("no scenario \(name): one of \(known.joined(separator: ", "))")
        }
        _ = try rivalNames()
    }

    /// Runs the contests, each with the rivals asked for; those left without any are passed over.
    func run() throws -> RoundRunner.Outcome {
        Memory.holdThresholds()
        let plan = Plan(isQuick: quick)
        let chosen = Catalogue.all.filter { scenarios.isEmpty || scenarios.contains($0.name) }
        var contests = chosen.flatMap { $0.contests(plan) }
        contests = contests.filter { variants.isEmpty || variants.contains($0.variant) }
        if let names = try rivalNames() {
            contests = contests.map { $0.keeping(rivals: names) }
        }
        let runner = RoundRunner(rounds: rounds ?? (quick ? 5 : 7), progress: ProgressLine())
        // A curve has every contender: it belongs to a run that leaves out neither rivals nor variants.
        let all = rivals == nil && variants.isEmpty ? Growth.sweeps(plan) : []
        let sweeps = all.filter { scenarios.isEmpty || scenarios.contains($0.name) }
        let outcome = runner.run(
            contests.filter { !$0.rivals.isEmpty }, curves ? sweeps : [])
        for failure in outcome.failures {
            FileHandle.standardError.write(Data("failed: \(failure)\n".utf8))
        }
        return outcome
    }

    private func rivalNames() throws -> Set<String>? {
        guard let rivals else { return nil }
        var names: Set<String> = []
        for word in rivals.split(separator: ",") {
            let found = RivalName.names(for: String(word))
            guard !found.isEmpty else {
                let known = RivalName.all.joined(separator: ", ")
                throw ValidationError("no rival \(word): dispatch, or one of \(known)")
            }
            names.formUnion(found)
        }
        return names
    }
}
