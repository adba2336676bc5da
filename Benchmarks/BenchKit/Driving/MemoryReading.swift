// SPDX-License-Identifier: Apache-2.0
/// Reads what timers hold of memory, and what is left of it after they were cancelled: one
/// procedure for every side.
package enum MemoryReading {
    /// Bytes for each of `count` timers, and the percentage of them that stays after cancelling. The
    /// memory for the handles is made, and touched, before.
    ///
    /// - Parameters:
    ///   - arm: arms every timer and returns how many there are.
    ///   - cancel: cancels every timer and returns how many were cancelled.
    ///   - run: runs a closure on the loop or queue, and waits for it.
    package static func ofTimers(
        _ count: Int, arm: () throws -> Int, cancel: () throws -> Int,
        run: (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) throws -> Measurement {
        var measurement = Measurement()
        let before = try read(run)
        try measurement.check("armed", try arm(), is: count)
        Settle.untilIdle()
        let full = try read(run)
        try measurement.check("cancelled", try cancel(), is: count)
        Settle.untilIdle()
        let after = try read(run)
        // A last page that is not full is no byte of a timer.
        measurement[.bytes] = (Double(full - before) / Double(count)).rounded()
        measurement[.growth] = max(0, 100 * Double(after - before) / Double(max(1, full - before)))
        return measurement
    }

    /// The memory of the process, once every heap involved has given back unused memory.
    static func read(_ run: (@escaping @Sendable () -> Void) -> Void = { $0() }) throws -> Int {
        run { Memory.trimThread() }
        Memory.trimThread()
        guard let bytes = Memory.privateResident() else {
            throw BenchFailure("this system does not tell private resident memory")
        }
        return bytes
    }
}

/// Handles in memory that is there, and resident, before any reading begins.
package final class Kept<Handle>: @unchecked Sendable {
    // `@unchecked` because one thread fills it and, after having waited for that, one empties it.
    private let memory: UnsafeMutablePointer<Handle>
    package private(set) var count = 0

    package init(_ capacity: Int) {
        memory = .allocate(capacity: capacity)
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
