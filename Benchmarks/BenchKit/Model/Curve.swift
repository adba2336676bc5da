// SPDX-License-Identifier: Apache-2.0

/// A measure against something that grows, for several contenders.
package struct Curve: Sendable, Codable, Equatable {
    package struct Point: Sendable, Codable, Equatable {
        package var x: Double
        /// The median of the rounds.
        package var y: Double
        package var low: Double
        package var high: Double

        package init(x: Double, y: Double, low: Double, high: Double) {
            self.x = x
            self.y = y
            self.low = low
            self.high = high
        }
    }

    /// One contender's points.
    package struct Series: Sendable, Codable, Equatable {
        package var name: String
        package var points: [Point]

        package init(name: String, points: [Point]) {
            self.name = name
            self.points = points
        }
    }

    /// The kind of thing that grows.
    package enum Axis: String, Sendable, Codable {
        case outstanding, producers, percentile
    }

    package var name: String
    package var summary: String
    package var axis: Axis
    package var unit: String
    package var series: [Series]

    package init(name: String, summary: String, axis: Axis, unit: String, series: [Series]) {
        self.name = name
        self.summary = summary
        self.axis = axis
        self.unit = unit
        self.series = series
    }
}
