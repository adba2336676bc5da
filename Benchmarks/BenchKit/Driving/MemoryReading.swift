// SPDX-License-Identifier: Apache-2.0

/// Reads what timers hold of memory, and what is left of it after they were cancelled: one
/// procedure for every side.
package enum MemoryReading {
    /// The steps of a side. The memory for its handles is made, and touched, before the first reading.
    package struct Steps {
        /// Arms every timer and tells how many there are.
        package var arm: () throws -> Int
        /// Cancels every timer and tells how many were cancelled.
        package var cancel: () throws -> Int
        /// Runs a closure on the loop or queue, and waits for it.
        package var run: (@escaping @Sendable () -> Void) -> Void
        /// Closes the loop or queue.
        package var close: () throws -> Void

        package init(
            arm: @escaping () throws -> Int, cancel: @escaping () throws -> Int,
            run: @escaping (@escaping @Sendable () -> Void) -> Void = { $0() },
            close: @escaping () throws -> Void = {}
        ) {
            self.arm = arm
            self.cancel = cancel
            self.run = run
            self.close = close
        }
    }

    /// Bytes for each of `count` timers, and the percentage of them that stays after cancelling.
    package static func ofTimers(
        _ count: Int, _ makeSteps: () throws -> Steps
    ) throws -> Measurement {
        var measurement = Measurement()
        let steps = try makeSteps()
        let before = try read(steps)
        try measurement.check("armed", try steps.arm(), is: count)
        Settle.untilIdle()
        let full = try read(steps)
        try measurement.check("cancelled", try steps.cancel(), is: count)
        Settle.untilIdle()
        let after = try read(steps)
        try steps.close()
        measurement[.bytes] = Double(full - before) / Double(count)
        measurement[.growth] = max(0, 100 * Double(after - before) / Double(max(1, full - before)))
        return measurement
    }

    /// The memory of the process, once every heap involved has given back unused memory.
    private static func read(_ steps: Steps) throws -> Int {
        steps.run { Memory.trimThread() }
        Memory.trimThread()
        guard let bytes = Memory.privateResident() else {
            throw BenchFailure("this system does not tell private resident memory")
        }
        return bytes
    }
}

/// Handles in memory that is there, and resident, before any reading begins, unless it is to be read
/// with the rest.
package final class Kept<Handle>: @unchecked Sendable {
    // `@unchecked` because one thread fills it and, after having waited for that, one empties it.
    private let memory: UnsafeMutablePointer<Handle>
    package private(set) var count = 0

    /// - Parameter isCounted: whether readings see the handles. They need hundreds of kilobytes, which the
    ///   allocator gets from the system: such memory is resident once it is written to.
    package init(_ capacity: Int, isCounted: Bool = false) {
        memory = .allocate(capacity: capacity)
        guard !isCounted else { return }
        let bytes = capacity * MemoryLayout<Handle>.stride
        UnsafeMutableRawPointer(memory).initializeMemory(as: UInt8.self, repeating: 1, count: bytes)
    }

    deinit {
        removeAll()
        memory.deallocate()
    }

    package func append(_ handle: Handle) {
        (memory + count).initialize(to: handle)
        count += 1
    }

    package subscript(_ index: Int) -> Handle { memory[index] }

    package func forEach(_ body: (Handle) -> Void) {
        for index in 0..<count { body(memory[index]) }
    }

    /// Lets go of every handle and tells how many there were.
    @discardableResult
    package func removeAll() -> Int {
        memory.deinitialize(count: count)
        defer { count = 0 }
        return count
    }
}
