// SPDX-License-Identifier: Apache-2.0

/// The measurements of a curve, before they are made.
package struct Sweep: Sendable {
    /// A contender at all the sizes that it is measured at.
    package struct Subject: Sendable {
        package let name: String
        /// Whether it can do a size in a reasonable time; its line ends at the first it cannot.
        package let reaches: @Sendable (Int) -> Bool
        package let measure: @Sendable (Int) throws -> Measurement

        package init(
            _ name: String, reaches: @escaping @Sendable (Int) -> Bool = { _ in true },
            measure: @escaping @Sendable (Int) throws -> Measurement
        ) {
            self.name = name
            self.reaches = reaches
            self.measure = measure
        }
    }

    package let name: String
    package let summary: String
    package let axis: Curve.Axis
    package let metric: Metric
    package let sizes: [Int]
    package let subjects: [Subject]

    /// - Parameter sizes: along the axis; one size of any value where it has percentiles.
    package init(
        _ name: String, _ summary: String, axis: Curve.Axis, metric: Metric, sizes: [Int],
        subjects: [Subject]
    ) {
        self.name = name
        self.summary = summary
        self.axis = axis
        self.metric = metric
        self.sizes = sizes
        self.subjects = subjects
    }

    /// The percentiles of a distribution's line.
    package static let percentiles: [Double] = [10, 25, 50, 75, 90, 95, 99, 99.9]

    /// Whether at least one of `count` times lies beyond the percentile.
    static func isTold(_ percentile: Double, of count: Int) -> Bool {
        // In whole tenths of a percent: 100 - 99.9 is less than 0.1.
        (1_000 - Int((percentile * 10).rounded())) * count >= 1_000
    }

    /// The words with which a failure of the curve of this name begins; its contender follows.
    static func failureBeginning(_ name: String) -> String { "curve \(name), " }

    /// The same curve without the subjects of these names.
    package func leaving(out names: Set<String>) -> Sweep {
        Sweep(
            name, summary, axis: axis, metric: metric, sizes: sizes,
            subjects: subjects.filter { !names.contains($0.name) })
    }

    /// How many single measurements `run` makes.
    package func steps(rounds: Int) -> Int {
        sizes.reduce(0) { sum, size in
            sum + self.rounds(at: size, of: rounds) * subjects.count { $0.reaches(size) }
        }
    }

    /// One at a large size: most of its seconds go by before the measurement begins.
    private func rounds(at size: Int, of rounds: Int) -> Int {
        size < 1_000_000 ? rounds : 1
    }

    /// Measures all subjects in turn, size by size and round by round.
    package func run(rounds: Int, progress: ProgressLine) -> (curve: Curve, failures: [String]) {
        var values = [[Double: [Double]]](repeating: [:], count: subjects.count)
        var failures: [Int: String] = [:]
        for size in sizes {
            for round in 0..<self.rounds(at: size, of: rounds) {
                let order =
                    round.isMultiple(of: 2)
                    ? Array(subjects.indices) : subjects.indices.reversed()
                for index in order where subjects[index].reaches(size) {
                    let subject = subjects[index]
                    progress.show("curve · \(name)", "\(subject.name) at \(size)")
                    guard failures[index] == nil else { continue }
                    // As between the sides of a contest.
                    Settle.untilIdle()
                    do {
                        let measurement = try subject.measure(size)
                        for (x, y) in points(of: measurement, at: size) {
                            values[index][x, default: []].append(y)
                        }
                    } catch {
                        failures[index] =
                            Self.failureBeginning(name) + "\(subject.name) at \(size): \(error)"
                    }
                }
            }
        }
        let series = subjects.indices.map { index in
            Curve.Series(
                name: subjects[index].name,
                points: values[index].sorted { $0.key < $1.key }.map { x, ys in
                    Curve.Point(
                        x: x, y: Statistics.rounded(Statistics.median(ys)),
                        low: Statistics.rounded(ys.min() ?? 0),
                        high: Statistics.rounded(ys.max() ?? 0))
                })
        }
        let curve = Curve(
            name: name, summary: summary, axis: axis, unit: metric.unit,
            series: series.filter { !$0.points.isEmpty })
        return (curve, failures.sorted { $0.key < $1.key }.map(\.value))
    }

    private func points(of measurement: Measurement, at size: Int) -> [(Double, Double)] {
        guard axis != .percentile else {
            // A percentile that fewer than one of the times lies beyond is the last of them.
            return zip(Self.percentiles, measurement.percentiles).filter {
                Self.isTold($0.0, of: size)
            }.map { ($0, $1) }
        }
        return measurement[metric].map { [(Double(size), $0)] } ?? []
    }
}
