// SPDX-License-Identifier: Apache-2.0
/// The work of one side in one round: values, and how many counts were compared with what they had
/// to be. A measurement without a check counts as unasserted, and `check` refuses its rows.
package struct Measurement: Sendable {
    package private(set) var values: [Metric: Double] = [:]
    package private(set) var checks = 0

    package init() {}

    /// Sets wall and CPU time per operation from a span.
    package init(_ span: Span, operations: Int) { add(span, operations: operations) }

    /// Adds wall and CPU time per operation, and the sleeps if the span has counted them.
    package mutating func add(_ span: Span, operations: Int) {
        self[.wall] = Double(span.wall) / Double(operations)
        self[.cpu] = Double(span.cpu) / Double(operations)
        if let sleeps = span.sleeps { self[.sleeps] = Double(sleeps) / Double(operations) }
    }

    package subscript(_ metric: Metric) -> Double? {
        get { values[metric] }
        set { values[metric] = newValue }
    }

    /// Asserts a count that the work must have produced.
    ///
    /// - Throws: `CountMismatch` when the numbers differ; the contest then has no rows.
    package mutating func check(_ what: String, _ actual: Int, is expected: Int) throws {
        checks += 1
        guard actual == expected else {
            throw CountMismatch(what: what, actual: actual, expected: expected)
        }
    }
}

/// A side did not do what it was measured for.
package struct CountMismatch: Error, CustomStringConvertible {
    package let what: String
    package let actual: Int
    package let expected: Int

    package var description: String { "\(what): \(actual), not \(expected)" }
}

/// The system refused something that a measurement needs.
package struct BenchFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Elapsed time and the process's CPU time, both in nanoseconds.
package struct Span: Sendable {
    package var wall: UInt64
    package var cpu: UInt64
    /// How often the process's threads went to sleep; `nil` if that was not counted.
    package var sleeps: Int?

    package init(wall: UInt64, cpu: UInt64) {
        self.wall = wall
        self.cpu = cpu
    }
}
