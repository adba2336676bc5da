// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare two runs, the rows of which --json has written, or two commits.",
        discussion: """
            An argument that is no file is a commit, as git names it. Each of two commits is \
            checked out into a folder of its own and built with the same traits as this program; \
            then both run quickly in turns, three times each, so that a machine that drifts \
            drifts for both. On two processors a build takes two minutes or more and a turn a \
            minute and a half, which makes a quarter of an hour; --scenario makes it short. \
            Rivals in processes of their own do not take part. The folders are removed at the \
            end; --scratch keeps the builds. The benchmark programs of both commits need these \
            options of `run`.

            A change of a time is told if it is 10 % or more, and sure among all that are \
            compared: a program compared with itself is found changed once in fifty times. Also \
            told is what has doubled or halved with no round in between. Few rounds, or rounds \
            far apart, show little else, which is said. Two runs are narrowed to \
            what --scenario, --variant and --rivals name.

            Exits with 0 if nothing is worse on the second side, with 1 if something is, and with \
            2 if nothing can be judged: no row is on both sides, the rows have too few rounds, a \
            commit cannot be built or run, or the second side alone has contests that failed.
            """)

    @Argument(help: "The rows of the run before, or the commit.")
    var before: String

    @Argument(help: "The rows of the run after, or the commit.")
    var after: String

    @OptionGroup var choice: Choice

    @OptionGroup var turns: TurnOptions

    func run() throws {
        let reports = try reports()
        let comparison = Comparison(reports[0], reports[1])
        guard !comparison.changes.isEmpty else {
            print("The runs have no row in common.")
            throw ExitCode(2)
        }
        show(comparison, of: reports)
        for failure in comparison.broken { print("Failed on the second side alone: \(failure).") }
        if !comparison.worse.isEmpty { throw ExitCode(1) }
        if comparison.tellsNothing || !comparison.broken.isEmpty { throw ExitCode(2) }
    }

    private func show(_ comparison: Comparison, of reports: [Report]) {
        print("\(reports[0].commit) → \(reports[1].commit)")
        for line in comparison.summary { print(line) }
        if reports[0].machine != reports[1].machine {
            print("The runs are from different machines: counts can be compared, times hardly.")
        }
        let told = comparison.changes.filter { $0.verdict == .worse || $0.verdict == .better }
        if !told.isEmpty { print(Tables.changes(told)) }
        if !comparison.unmatched.isEmpty {
            print("\(comparison.unmatched.count) rows are in one of the runs alone.")
        }
    }

    private func reports() throws -> [Report] {
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let repository = Checkout().root ?? current
        switch try ComparedSides(before, after, in: repository) {
        case .files(let before, let after):
            if let option = turns.given ?? choice.rounds.map({ _ in "--rounds" }) {
                throw ValidationError("\(option) is about two commits, and these are files")
            }
            return try [before, after].map { try choice.narrowed(Files.report(at: $0)) }
        case .commits(let before, let after):
            do {
                return try turns.runs(in: repository, choice).reports(before: before, after: after)
            } catch {
                print("Nothing can be compared: \(error).")
                throw ExitCode(2)
            }
        }
    }
}
