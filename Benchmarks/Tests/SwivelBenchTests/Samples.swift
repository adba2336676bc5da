// SPDX-License-Identifier: Apache-2.0
@testable internal import BenchKit

enum Samples {
    static let row = Row(
        scenario: "churn", variant: "100k", metric: "cpu", unit: "ns/op", subject: "Swivel",
        rival: "DispatchSource", subjectMedian: 60, rivalMedian: 3_000, ratio: 50, rounds: 5,
        ratios: [49, 50, 51, 50.5, 49.5])

    static let budget = Budget(
        scenario: "churn", variant: "100k", metric: "cpu", rival: "DispatchSource",
        form: .ratioAtLeast, must: 50)

    static func report(_ change: (inout Row) -> Void = { _ in }) -> Report {
        var row = row
        change(&row)
        return report([row])
    }

    static func report(_ rows: [Row]) -> Report {
        Report(
            machine: Surroundings.machine(libuv: "1.44.2"), commit: "0123456789ab",
            date: "2026-11-29T00:00:00Z", quick: false, asserted: rows.map(\.key), rows: rows)
    }
}
