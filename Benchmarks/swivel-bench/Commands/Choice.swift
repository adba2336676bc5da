// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Rivals

/// The part of the catalogue that a command is about, as the command line says.
struct Choice: ParsableArguments {
    @Option(name: .customLong("scenario"), help: "A scenario to run; may be given again.")
    var scenarios: [String] = []

    @Option(
        help: """
            Rivals to compare with, with commas between them; `dispatch` is all of Dispatch, \
            `nio` all of NIO.
            """)
    var rivals: String?

    @Option(name: .customLong("variant"), help: "A variant to run; may be given again.")
    var variants: [String] = []

    @Option(help: "How many rounds (the default is 5).")
    var rounds: Int?

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("--rounds has to be at least 1") }
        let names = Catalogue.all.map { $0.name }
        for name in scenarios where !names.contains(name) {
            throw ValidationError("no scenario \(name): one of \(names.joined(separator: ", "))")
        }
        let known = variants.isEmpty ? [] : knownVariants
        for name in variants where !known.contains(name) {
            throw ValidationError("no variant \(name): one of \(known.joined(separator: ", "))")
        }
        _ = try rivalNames()
    }

    /// The contests, each with the rivals asked for; those left without any are passed over.
    func contests(_ plan: Plan) throws -> [Contest] {
        var contests = chosen.flatMap { $0.contests(plan) }
        contests = contests.filter { variants.isEmpty || variants.contains($0.variant) }
        if let names = try rivalNames() {
            contests = contests.map { $0.keeping(rivals: names) }
        }
        return contests.filter { !$0.rivals.isEmpty }
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
        report.rows = report.rows.filter { includes($0.scenario, $0.variant, $0.rival, names) }
        return report
    }

    /// The options once more, for another process.
    var arguments: [String] {
        scenarios.flatMap { ["--scenario", $0] } + variants.flatMap { ["--variant", $0] }
            + (rivals.map { ["--rivals", $0] } ?? [])
            + (rounds.map { ["--rounds", "\($0)"] } ?? [])
    }

    private var chosen: [any Scenario.Type] {
        Catalogue.all.filter { scenarios.isEmpty || scenarios.contains($0.name) }
    }

    /// The variants of the chosen scenarios, those that only some plans have too, without repeats.
    private var knownVariants: [String] {
        let plans = [
            Plan(isQuick: false), Plan(isQuick: true), Plan(isQuick: true, isCheck: true),
        ]
        let contests = plans.flatMap { plan in chosen.flatMap { $0.contests(plan) } }
        return contests.reduce(into: []) { names, contest in
            if !names.contains(contest.variant) { names.append(contest.variant) }
        }
    }

    private func includes(
        _ scenario: String, _ variant: String, _ rival: String, _ names: Set<String>?
    ) -> Bool {
        (scenarios.isEmpty || scenarios.contains(scenario))
            && (variants.isEmpty || variants.contains(variant))
            && (names?.contains(rival) ?? true)
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
