// SPDX-License-Identifier: Apache-2.0

/// Counts allocations and, where the machine tells them, instructions: those of all threads, so that
/// nothing hides on another one.
package final class Counting: @unchecked Sendable {
    // `@unchecked` because one thread at a time uses it, and others read after its end.
    private var instructionMark: EventMark?
    private var allocationMark: AllocationMark?
    private var instructions: Int?
    private var allocations = 0

    package init() {}

    /// Begins to count; each time from zero.
    package func begin() {
        // First, because it allocates.
        instructionMark = Instructions.areCounted ? EventMark(.instructions) : nil
        allocationMark = AllocationMark()
    }

    package func end() {
        allocations = allocationMark?.end() ?? 0
        instructions = instructionMark?.end()
        (allocationMark, instructionMark) = (nil, nil)
    }

    /// Sets the counts of one of `operations`.
    package func add(to measurement: inout Measurement, operations: Int) {
        measurement[.allocations] = Double(allocations) / Double(operations)
        measurement[.instructions] = instructions.map { Double($0) / Double(operations) }
    }
}
