// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

/// Rows and reports to change one thing in.
enum Samples {
    static let row = Row(
        scenario: "schedule-cancel", variant: "1k", metric: "cpu", unit: "ns/op",
        subject: "Swivel", rival: "DispatchSource", subjectMedian: 60, rivalMedian: 3_000,
        ratio: 50, rounds: 5, spread: 0.03)

    static let budget = Budget(
        scenario: "schedule-cancel", variant: "1k", metric: "cpu", rival: "DispatchSource",
        form: .ratioAtLeast, must: 25, aim: 45)

    static func report(_ rows: [Row], asserted: [Row]? = nil) -> Report {
        Report(
            machine: .init(
                processor: "a processor", cores: 2, memoryGiB: 8, system: "Linux",
                architecture: "x86_64"),
            versions: .init(swift: "6.3.1", libuv: "1.44.2", swivel: "0.1.0"),
            commit: "0123456789ab", date: "2026-01-01T00:00:00Z", quick: false,
            asserted: (asserted ?? rows).map(\.key), rows: rows)
    }

    static func rowChanged(_ change: (inout Row) -> Void) -> Row {
        var row = row
        change(&row)
        return row
    }
}
