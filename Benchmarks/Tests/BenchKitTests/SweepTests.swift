// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct SweepTests {
    private func run(
        _ size: Int, _ subjects: [Sweep.Subject]
    ) -> (curve: Curve, failures: [String]) {
        let sweep = Sweep(
            "lateness", "A distribution.", axis: .percentile, metric: .p50, sizes: [size],
            subjects: subjects)
        return sweep.run(rounds: 1, progress: ProgressLine(isSilent: true))
    }

    private let subject = Sweep.Subject("Swivel") { _ in
        var measurement = Measurement()
        measurement.percentiles = Sweep.percentiles.map { $0 * 1_000 }
        return measurement
    }

    /// The slowest in a thousand of a thousand is one of them.
    @Test(
        arguments: [
            (1_000, 99.9), (999, 99), (100, 99), (99, 95), (20, 95), (4, 75),
        ] as [(Int, Double)])
    func aLineEndsAtThePercentileThatItCanTell(_ size: Int, _ last: Double) throws {
        let points = try #require(run(size, [subject]).curve.series.first).points
        #expect(points.map(\.x) == Sweep.percentiles.filter { $0 <= last })
        #expect(points.allSatisfy { abs($0.y - $0.x * 1_000) < 1 })
    }

    @Test(arguments: [(99.9, 1_000, true), (99.9, 999, false), (99, 100, true), (10, 1, false)])
    func aPercentileIsToldOfEnoughTimes(_ percentile: Double, _ count: Int, _ isTold: Bool) {
        #expect(Sweep.isTold(percentile, of: count) == isTold)
    }

    @Test func aContenderThatFailsIsNamedWithItsCurve() {
        let broken = Sweep.Subject("tokio") { _ in throw BenchFailure("it is gone") }
        let (curve, failures) = run(1_000, [subject, broken])
        #expect(failures == ["curve lateness, tokio at 1000: it is gone"])
        #expect(failures.allSatisfy { $0.hasPrefix(Sweep.failureBeginning("lateness")) })
        #expect(curve.series.map(\.name) == ["Swivel"])
    }
}
