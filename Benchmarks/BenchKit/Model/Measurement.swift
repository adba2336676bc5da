// SPDX-License-Identifier: Apache-2.0
/// The work of one side in one round: values, and how many counts were compared with what they had
/// to be. A measurement without a check counts as unasserted, and `check` refuses its rows.
package struct Measurement: Sendable {
    package private(set) var values: [Metric: Double] = [:]
    package private(set) var checks = 0

    package init() {}

    /// Sets wall and CPU time per operation from a span.
    package init(_ span: Span, operations: Int) { add(span, operations: operations) }

    /// Adds wall and CPU time per operation.
    package mutating func add(_ span: Span, operations: Int) {
        self[.wall] = Double(span.wall) / Double(operations)
        self[.cpu] = Double(span.cpu) / Double(operations)
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

/// The machine was too busy for a measurement: no fault of either side.
package struct TooBusy: Error, CustomStringConvertible {
    package let description: String
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

    package init(wall: UInt64, cpu: UInt64) {
        self.wall = wall
        self.cpu = cpu
    }

    /// The time that `body` takes, with the CPU time of the work that it leaves to other threads.
    package static func of(_ body: () throws -> Void) rethrows -> Span {
        let cpu = Clocks.processCPU()
        let wall = Clocks.wall()
        try body()
        let end = Clocks.wall()
        return Span(
            wall: Clocks.elapsed(from: wall, to: end),
            cpu: Clocks.elapsed(from: cpu, to: Settle.untilIdle()))
    }
}
