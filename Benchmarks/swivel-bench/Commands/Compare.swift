// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare two runs, the rows of which --json has written.",
        discussion: """
            A change of a time counts if the ratio to every rival has changed by 10 % or more and \
            the intervals of the two runs do not overlap. Of counts, Swivel's own figure decides. \
            Exits with 0 if nothing is worse in the second run, with 1 if something is, and with 2 \
            if nothing can be judged or contests failed in the second run alone.
            """)

    @Argument(help: "The rows of the run before.")
    var before: String

    @Argument(help: "The rows of the run after.")
    var after: String

    @OptionGroup var choice: Choice

    func run() throws {
        let reports = try [before, after].map { try choice.narrowed(Files.report(at: $0)) }
        let comparison = Comparison(reports[0], reports[1])
        guard !comparison.changes.isEmpty else {
            print("The runs have no row in common.")
            throw ExitCode(2)
        }
        let (worse, better) = (comparison.judged(.worse), comparison.judged(.better))
        print(Tables.changes(better + worse), terminator: "")
        for failure in comparison.broken { print("Failed in the second run alone: \(failure).") }
        if reports[0].machine != reports[1].machine {
            print("The runs are from different machines: counts can be compared, times hardly.")
        }
        let unjudged = comparison.judged(.unjudged).count
        print(
            "\(reports[0].commit) → \(reports[1].commit): \(worse.count) worse, \(better.count) "
                + "better, of \(comparison.changes.count); \(unjudged) have too few rounds.")
        if !worse.isEmpty { throw ExitCode(1) }
        if unjudged == comparison.changes.count || !comparison.broken.isEmpty { throw ExitCode(2) }
    }
}
