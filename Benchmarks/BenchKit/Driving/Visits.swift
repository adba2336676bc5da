// SPDX-License-Identifier: Apache-2.0
/// The isolated state of both sides of a call between actors: the visited one numbers
/// its visits, the visitor adds the numbers up. The optimiser would delete a hop to code that touches
/// none.
package struct Visits: Sendable {
    package let count: Int
    package let sum: Int

    package init(count: Int, sum: Int) {
        self.count = count
        self.sum = sum
    }

    /// Adds an answer up in a task, which has no isolated state: as a call that the optimiser cannot
    /// look into, it has to be made where the task is at home.
    @inline(never)
    package static func add(_ answer: Int, to sum: inout Int) { sum &+= answer }

    /// A measurement of `calls` calls, which asserts that all were made and answered.
    package func measurement(_ span: Span, _ calls: Int) throws -> Measurement {
        var measurement = Measurement(span, operations: calls)
        try measurement.check("visits", count, is: calls)
        try measurement.check("sum of the answers", sum, is: calls * (calls + 1) / 2)
        return measurement
    }
}
