// SPDX-License-Identifier: Apache-2.0

/// A run in a sentence and five figures: four that most programs feel, and the worst loss of time.
package struct Headline: Equatable {
    package struct Card: Equatable {
        package var figure: String
        package var text: String
        package var isLoss: Bool
    }

    package let verdict: String
    package let cards: [Card]

    /// For each figure its text, and the rows that may give it, the first that is there.
    private static let choices: [(text: String, keys: [String])] = [
        (
            "arming and cancelling a timeout, 100,000 others armed",
            [
                "schedule-cancel / 100k / cpu / DispatchSource",
                "schedule-cancel / 1k / cpu / DispatchSource",
            ]
        ),
        (
            "replacing one of 100,000 timeouts",
            [
                "churn / 100k / cpu / NIO", "churn / 100k / cpu / DispatchSource",
            ]
        ),
        (
            "handing a closure to another thread",
            ["post / 1 producer, capturing / cpu / DispatchQueue"]
        ),
        (
            "how late a timer is, in the middle",
            ["lateness / light load / p50 / DispatchSource"]
        ),
    ]

    package init(_ report: Report, budgets: Budgets) {
        let rows = report.rows.filter(\.isBesideRival)
        let losses = report.losses.filter(\.isBesideRival)
        let findings = BudgetCheck(report, against: budgets).findings
        let judged = findings.filter { $0.budget != nil && $0.verdict.isJudged }
        let missed = judged.count(where: \.verdict.fails)
        var verdict =
            "Swivel is better than its rivals in \(rows.count(where: \.isWin)) of "
            + "\(rows.count) rows and worse in \(losses.count)."
        if !judged.isEmpty {
            verdict +=
                missed == 0
                ? " All \(judged.count) budgets hold."
                : " \(missed) of \(judged.count) budgets do not hold."
        }
        self.verdict = verdict
        var cards = Self.choices.compactMap { choice -> Card? in
            guard let row = choice.keys.lazy.compactMap({ report.row($0) }).first else {
                return nil
            }
            return Card(
                figure: Figures.ratio(row.ratio), text: "\(choice.text), than \(row.rival)",
                isLoss: row.isLoss)
        }
        // Nobody can picture a loss against nothing at all, or feel one of counts: they are in the
        // list.
        let felt = losses.filter { $0.unit.hasPrefix("ns") && ($0.ratio ?? 0) > 0 }
        if let worst = felt.first ?? losses.first {
            cards.append(
                Card(
                    figure: Figures.ratio(worst.ratio),
                    text: "the greatest loss: \(worst.scenario), \(worst.variant), "
                        + "\(worst.metric), than \(worst.rival)", isLoss: true))
        }
        self.cards = cards
    }
}

extension Report {
    /// The rows in which Swivel is worse, the worst first.
    var losses: [Row] {
        rows.filter(\.isLoss)
            .sorted { ($0.ratio ?? 0) < ($1.ratio ?? 0) }
    }
}

extension Row {
    /// Whether Swivel is better.
    var isWin: Bool { Figures.ratio(ratio).hasSuffix("better") }

    /// Whether Swivel is worse.
    var isLoss: Bool { Figures.ratio(ratio).hasSuffix("worse") }
}

extension Headline {
    /// The same for a terminal, the verdict first.
    package var text: String {
        ([verdict] + cards.map { "  \($0.figure): \($0.text)" }).joined(separator: "\n")
    }
}
