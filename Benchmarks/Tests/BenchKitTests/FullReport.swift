// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

/// A report as large as a full run's, with all that is hard for a page: long names, ratios that are
/// huge, tiny or no number, losses with long reasons and with none, lines that end, rivals that are
/// missing and others that failed.
enum FullReport {
    static let report = make()

    /// A budget for one row in five.
    static let budgets = Budgets(
        report.rows.enumerated().filter { $0.offset.isMultiple(of: 5) }.map { _, row in
            Budget(
                scenario: row.scenario, variant: row.variant, metric: row.metric, rival: row.rival,
                form: .ratioAtLeast, must: 1_000)
        })

    private static let scenarios: [String] =
        ["schedule-cancel", "churn", "cross-thread", "post", "lateness", "wait", "allocations"]
        + (0..<21).map { "a-scenario-of-a-long-name-\($0)" }

    private static let variants = [
        "1k", "100k, capturing, 1 ms leeway",
        "operator, one busy thread, another loop's thread of a long name",
    ]

    private static let rivals = [
        "DispatchBackend", "DispatchSource", "Foundation Timer", "NIO idle handler", "OpenCombine",
        "map(on: .immediate)", "default executor", "tokio",
    ]

    /// Of lengths that have no factor in common with those above, so that all meet all.
    private static let ratios: [Double?] = [
        50, 0.4, nil, 1_703, 1, 0, 0.002, 0.98, 2.5, 1e-7, 3.6e8, 0.66, 12.34,
    ]
    private static let values: [Double] = [49.2, 3_890, 71.3e6, 20e9, 0.00025, 0, 876.5]
    private static let metrics: [Metric] = [.cpu, .wall, .p99, .sleeps, .preemptions, .allocations]
    private static let reasons: [String?] = [
        nil, "two changes of thread a wait", "in C: a function and its data",
        """
        two jobs a call, there and back, and each looks for the task's preferred executor under \
        the runtime's lock; the rival's actor is entered in place
        """,
    ]

    private static func make() -> Report {
        var report = Samples.report(rows())
        for (number, row) in report.rows.enumerated() {
            report.reasons[row.key] = reasons[number % reasons.count]
        }
        report.machine.processor = "A Processor of a Long Name (R) with 128 Cores @ 3.10 GHz"
        report.commit = "0123456789ab-modified"
        report.missing = ["libev", "NIO"].map {
            MissingRival($0, "install a C compiler and run Benchmarks/rivals/build-children")
        }
        report.failures = [
            "churn / 1k: Go: fired: 3, not 4", failure(of: "producers", "Swivel at 64"),
            failure(of: "percentile", "tokio at 1000"),
        ]
        report.curves = curves()
        report.check = MachineCheck(
            governor: "powersave", load: 31.4, steal: 14.2, others: 30, wakeP50: 60_000,
            wakeP99: 3_000_000, jitter: 40)
        report.check?.disturbed = 88.6
        report.scenarios = scenarios.map {
            ScenarioNote(
                name: $0, summary: "arm a timer with a capturing closure and cancel it",
                source: "Benchmarks/swivel-bench/Scenarios/\($0).swift")
        }
        return report
    }

    private static func failure(of curve: String, _ contender: String) -> String {
        "curve \(curve), \(contender): nothing for a minute from /a/program/of-a-long-name/here"
    }

    private static func rows() -> [Row] {
        var rows: [Row] = []
        for scenario in scenarios {
            for variant in variants {
                for rival in rivals {
                    for _ in 0..<2 {
                        rows.append(row(rows.count, scenario, variant, rival))
                    }
                }
            }
        }
        return rows + cards
    }

    /// Those that the page begins with.
    private static var cards: [Row] {
        let all: [(String, String, Metric, String, Double)] = [
            ("schedule-cancel", "100k", .cpu, "DispatchSource", 29.5),
            ("churn", "100k", .cpu, "NIO", 1_703),
            ("post", "1 producer, capturing", .cpu, "DispatchQueue", 10.3),
            ("lateness", "light load", .p50, "DispatchSource", 0.351),
        ]
        return all.map { scenario, variant, metric, rival, ratio in
            Row(
                scenario: scenario, variant: variant, metric: metric.name, unit: metric.unit,
                subject: "Swivel", rival: rival, subjectMedian: 49.2, rivalMedian: 3_890,
                ratio: ratio, rounds: 15, spread: 0.03)
        }
    }

    private static func row(
        _ number: Int, _ scenario: String, _ variant: String, _ rival: String
    ) -> Row {
        // Two in a row differ, and the work and the rival are the same.
        let metric = metrics[(number + number / 16) % metrics.count]
        let ratio = ratios[number % ratios.count]
        return Row(
            scenario: scenario, variant: variant, metric: metric.name, unit: metric.unit,
            subject: "Swivel", rival: rival, subjectMedian: values[number % values.count],
            rivalMedian: values[(number / 2) % values.count], ratio: ratio,
            rounds: 15, spread: 0.03, low: ratio.map { $0 * 0.7 },
            high: number.isMultiple(of: 11) ? nil : ratio.map { $0 * 1.4 })
    }

    /// Ten lines and more that lie close together, some of which end early; one without Swivel.
    private static func curves() -> [Curve] {
        let highest: [(axis: Curve.Axis, cost: Double)] = [
            (.outstanding, 9e9), (.producers, 40_000), (.percentile, 2e6),
        ]
        return highest.map { axis, cost in
            var curve = Samples.curve(axis, highest: cost)
            let points = curve.series[0].points
            let names: [String] = (axis == .producers ? [] : ["Swivel"]) + rivals + ["Go", "libev"]
            curve.series = names.enumerated().map { number, name in
                let share = Double(number + 1) / 3
                let reached = points.prefix(points.count - number % 4)
                return Curve.Series(name: name, points: reached.map { scaled($0, by: share) })
            }
            return curve
        }
    }

    private static func scaled(_ point: Curve.Point, by share: Double) -> Curve.Point {
        Curve.Point(
            x: point.x, y: point.y * share, low: point.low * share, high: point.high * share)
    }
}
