// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// One timer after the other: draws the delays, and notes how late each one was.
package final class Chain: @unchecked Sendable {
    // `@unchecked` because one timer is under way at a time, and other code reads after
    // `wait()`.
    package let goal: Int
    package private(set) var lateness = Lateness()
    private var due: UInt64 = 0
    private let done = DispatchSemaphore(value: 0)

    package init(_ goal: Int) { self.goal = goal }

    /// Draws the first delay: the instant at which the timer is due.
    package func start() -> UInt64 {
        // Whole milliseconds, 1 to 3: the only delays that libuv and Swivel both know.
        let milliseconds = 1 + Int(Delays.far.milliseconds[lateness.count & Delays.far.mask]) % 3
        due = Clocks.wall() + UInt64(milliseconds) * 1_000_000
        return due
    }

    /// Notes a firing and draws the next instant; `nil` after the last.
    package func fired() -> UInt64? {
        lateness.record(Int64(Clocks.wall()) - Int64(due))
        if lateness.count < goal { return start() }
        done.signal()
        return nil
    }

    package func wait() { done.wait() }
}
