// SPDX-License-Identifier: Apache-2.0
internal import CAllocCount

/// Exact counts of the calls to the allocator, the Swift runtime's included.
package enum Allocations {
    /// Whether this build counts: on Linux with glibc and without a sanitizer.
    package static var areCounted: Bool { alloc_count_is_available() }
}

/// Exact counts of the system calls around descriptors and their events.
package enum SystemCalls {
    /// Whether this build counts: on Linux with glibc and without a sanitizer.
    package static var areCounted: Bool { system_calls_are_counted() }

    /// Those that the process has made up to now.
    package static var count: Int { Int(system_calls_count()) }
}

/// A count of all threads' calls to the allocator that begins and ends at different places.
package final class Counting: @unchecked Sendable {
    // `@unchecked` because one thread at a time uses it, and others read after its end.
    private var start: UInt64 = 0
    private(set) var count = 0

    package init() {}

    /// Begins to count; each time from zero.
    package func begin() {
        alloc_count_start()
        start = alloc_count_of_process()
    }

    package func end() {
        count = Int(alloc_count_of_process() - start)
        alloc_count_stop()
    }

    /// Sets the count of one of `operations`.
    package func add(to measurement: inout Measurement, operations: Int) {
        measurement[.allocations] = Double(count) / Double(operations)
    }
}
