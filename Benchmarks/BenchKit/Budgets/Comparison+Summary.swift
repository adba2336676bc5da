// SPDX-License-Identifier: Apache-2.0

extension Comparison {
    /// The factor that is said not to show where it does not.
    private static let notable = 1.3

    /// The times that are the same as far as the rounds tell, which is not even a change of 30 %.
    package var blurred: [Change] {
        judged(.same).filter { ($0.leastShown ?? 1) > Self.notable }
    }

    /// Whether there is nothing that the runs tell.
    package var tellsNothing: Bool { changes.allSatisfy { $0.verdict == .unjudged } }

    /// The counts of verdicts in a line, and a line for whatever nobody could judge.
    package var summary: [String] {
        let unjudged = judged(.unjudged).count
        var lines = [
            "\(worse.count) worse, \(judged(.better).count) better, "
                + "\(judged(.same).count) the same, \(unjudged) not judged."
        ]
        if unjudged > 0 {
            lines.append(
                "\(unjudged) cannot be judged: fewer than \(Evidence.fewestRounds) rounds in one "
                    + "of the runs, or a file without the rounds' ratios.")
        }
        if !blurred.isEmpty {
            lines.append(
                "In \(blurred.count) of those that are the same, the rounds lie too far apart to "
                    + "show a change of 30 %; more rounds show more.")
        }
        return lines
    }
}
