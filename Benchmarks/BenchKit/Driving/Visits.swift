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

    /// Calls to the allocator for one call of `calls`, less those for the task around them.
    package static func allocations(
        _ calls: Int, _ call: (Int) throws -> Measurement
    ) throws -> Measurement {
        // The first ones make queues as large as they will be.
        _ = try call(calls)
        let around = try Allocations.ofProcess { _ = try call(1) }
        var measurement = Measurement()
        let all = try Allocations.ofProcess { measurement = try call(calls) }
        (measurement[.cpu], measurement[.wall]) = (nil, nil)
        let each = Double(max(0, all - around)) / Double(calls)
        // The settling around them allocates now and then, for no single call.
        measurement[.allocations] = (each * 10).rounded() / 10
        return measurement
    }

    /// A measurement of `calls` calls, which asserts that all were made and answered.
    package func measurement(_ span: Span, _ calls: Int) throws -> Measurement {
        var measurement = Measurement(span, operations: calls)
        try measurement.check("visits", count, is: calls)
        try measurement.check("sum of the answers", sum, is: calls * (calls + 1) / 2)
        return measurement
    }
}
