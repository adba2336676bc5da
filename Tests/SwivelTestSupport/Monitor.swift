// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A lock with a condition that shares no code with what is being tested.
package final class Monitor: Sendable {
    private let condition = NSCondition()

    package init() {}

    package func locked<R>(_ body: () throws -> R) rethrows -> R {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    /// Under the lock: sleeps until a wake.
    package func wait() {
        condition.wait()
    }

    /// As `wait()`, until `limit` at the latest. False: it has passed.
    package func wait(until limit: Date) -> Bool {
        condition.wait(until: limit)
    }

    package func wakeAll() {
        condition.broadcast()
    }
}
