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

    /// A quiet machine.
    static let machine = MachineCheck(
        governor: "performance", load: 0.1, steal: 0, others: 0.5, wakeP50: 60_000,
        wakeP99: 90_000, jitter: 1)

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

    /// A curve of Swivel and a rival.
    static func curve(_ axis: Curve.Axis, highest: Double) -> Curve {
        let xs: [Double] =
            switch axis {
            case .outstanding: [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
            case .producers: [1, 2, 4, 8, 16, 32, 64]
            case .percentile: Sweep.percentiles
            }
        let series = [("Swivel", highest / 10), ("a rival", highest)].map { name, y in
            Curve.Series(
                name: name, points: xs.map { Curve.Point(x: $0, y: y, low: y * 0.8, high: y * 1.3) }
            )
        }
        return Curve(
            name: "\(axis)", summary: "A curve.", axis: axis, unit: "ns/op", series: series)
    }
}
