// SPDX-License-Identifier: Apache-2.0
/// The words of the page and of the tables, each with its meaning.
enum Words {
    private static let general = [
        ("row", "one measure of one variant of a scenario, next to one rival"),
        ("scenario, variant", "a kind of work, and a shape in which it comes"),
        ("round", "one pass of all sides over the same work: five per row, three of counts"),
        ("Swivel, the rival", "the median of the rounds; of early, ticks and drift the worst"),
        ("better, worse, equal", "the median of the rounds' ratios: 2× better is half the cost"),
        ("from, to", "the smallest and the largest ratio, or the 95 % interval of their median"),
        ("more, less", "the difference, if one side needs nothing and there is no ratio"),
        ("gate", "a limit that the library is designed to, of Budgets.json; held or MISSED"),
        ("≥ 2×, ≤ 0.5×", "a gate: at least 2 times better; at most half of what the rival needs"),
        ("= 1, ≤ 64, < 1", "a gate on Swivel's own figure, in the unit of the row"),
        ("NO ROW, rival missing, not in quick runs", "a gate that was not measured, and why"),
        ("ONLY n ROUNDS, COUNTS NOT ASSERTED", "a row that cannot be judged"),
        ("quick", "a run with fewer operations, as make run makes it"),
    ]

    /// All of them: words, measures, rivals, and the scenarios of the report.
    static func all(_ report: Report) -> [(String, String)] {
        let parts = [
            general, Metric.all.map { ($0.name, $0.meaning) }, RivalName.meanings,
            report.scenarios.map { ($0.name, $0.text.replacing("`", with: "")) },
        ]
        return parts.flatMap { $0 }
    }
}
