// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// Counts closures of one loop or serial queue and lets somebody wait for the last of them.
package final class Countdown: @unchecked Sendable {
    // `@unchecked` because only the closures of one loop or serial queue call `hit()`, and
    // other code reads after `wait()`.
    package private(set) var hits = 0
    /// When the last of them ran.
    package private(set) var wallAtGoal: UInt64 = 0
    private let goal: Int
    private let reached = DispatchSemaphore(value: 0)

    package init(_ goal: Int) { self.goal = goal }

    /// One more ran.
    package func hit() {
        hits &+= 1
        if hits == goal {
            wallAtGoal = Clocks.wall()
            reached.signal()
        }
    }

    /// Blocks until all ran, or until this many nanoseconds have passed.
    package func wait(atMost nanoseconds: UInt64 = 60_000_000_000) {
        _ = reached.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
    }
}
