// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation
internal import Rivals

/// The part of the catalogue that a command is about.
struct Choice: ParsableArguments {
    @Option(name: .customLong("scenario"), help: "A scenario to run; may be given again.")
    var scenarios: [String] = []

    @Option(name: .customLong("variant"), help: "A variant to run; may be given again.")
    var variants: [String] = []

    @Option(help: "Rivals, with commas between them; `dispatch` is all of Dispatch.")
    var rivals: String?

    func validate() throws {
        let names = Catalogue.all.map { $0.name }
        for name in scenarios where !names.contains(name) {
            throw ValidationError("no scenario \(name): one of \(names.joined(separator: ", "))")
        }
        _ = try rivalNames()
    }

    /// The contests of the chosen scenarios and variants, each with the chosen rivals. One that has
    /// none of them is left out.
    func selected(_ plan: Plan) throws -> [Contest] {
        let names = try rivalNames()
        return contests(plan).filter { variants.isEmpty || variants.contains($0.variant) }
            .map { contest in contest.keeping { names?.contains($0.name) ?? true } }
            .filter { !$0.rivals.isEmpty }
    }

    /// The budgets of what is chosen.
    func narrowed(_ budgets: Budgets) throws -> Budgets {
        let names = try rivalNames()
        return Budgets(
            budgets.budgets.filter { includes($0.scenario, $0.variant, $0.rival, names) })
    }

    /// An earlier run without the rows of anything else.
    func narrowed(_ report: Report) throws -> Report {
        let names = try rivalNames()
        var report = report
        report.rows.removeAll { !includes($0.scenario, $0.variant, $0.rival, names) }
        return report
    }

    private func contests(_ plan: Plan) -> [Contest] {
        Catalogue.all.filter { scenarios.isEmpty || scenarios.contains($0.name) }
            .flatMap { $0.contests(plan) }
    }

    private func includes(
        _ scenario: String, _ variant: String, _ rival: String, _ names: Set<String>?
    ) -> Bool {
        (scenarios.isEmpty || scenarios.contains(scenario))
            && (variants.isEmpty || variants.contains(variant)) && (names?.contains(rival) ?? true)
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
                throw ValidationError("no rival \(word): dispatch, or one of \(known)")
            }
            names.formUnion(found)
        }
        return names
    }
}

/// How a command measures.
struct Measuring: ParsableArguments {
    @Option(help: "How many rounds (the default is 5, of counts 3).")
    var rounds: Int?

    @Option(help: .hidden)
    var slowed: Slowdown?

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("--rounds has to be at least 1") }
    }

    /// Runs the contests, with progress on standard error.
    func report(
        _ contests: [Contest], isQuick: Bool, _ checkout: Checkout, missing: [Note]
    ) -> Report {
        LineUp.slow(slowed)
        Memory.holdThresholds()
        let outcome = RoundRunner(rounds: rounds, progress: ProgressLine()).run(contests)
        return outcome.report(
            libuv: RawUV.version, root: checkout.root, isQuick: isQuick,
            missing: LineUp.missing + missing,
            scenarios: Catalogue.all.map { Note($0.name, $0.summary) })
    }
}

extension Slowdown: ExpressibleByArgument {}
