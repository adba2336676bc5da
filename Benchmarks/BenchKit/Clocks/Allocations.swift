// SPDX-License-Identifier: Apache-2.0

internal import CAllocCount

/// Exact counts of the calls to the allocator, the Swift runtime's included.
package enum Allocations {
    /// Whether this build counts: on Linux with glibc and without a sanitizer.
    package static var areCounted: Bool { alloc_count_is_available() }

    /// The allocations of the calling thread while `body` ran.
    package static func ofThread(during body: () throws -> Void) rethrows -> Int {
        alloc_count_start()
        defer { alloc_count_stop() }
        let before = alloc_count_of_thread()
        try body()
        return Int(alloc_count_of_thread() - before)
    }

    /// The allocations of all threads while `body` ran.
    package static func ofProcess(during body: () throws -> Void) rethrows -> Int {
        alloc_count_start()
        defer { alloc_count_stop() }
        let before = alloc_count_of_process()
        try body()
        return Int(alloc_count_of_process() - before)
    }
}

/// Counting that begins and ends at different places, of all threads.
package struct AllocationMark: Sendable {
    private let start: UInt64

    /// Begins to count.
    package init() {
        alloc_count_start()
        start = alloc_count_of_process()
    }

    /// Ends the counting, once, and tells how many there were.
    package func end() -> Int {
        defer { alloc_count_stop() }
        return Int(alloc_count_of_process() - start)
    }
}
