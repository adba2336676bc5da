// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A lock with a condition that shares no code with what is being tested.
final class Monitor: Sendable {
    private let condition = NSCondition()

    init() {}

    func locked<R>(_ body: () throws -> R) rethrows -> R {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    /// Under the lock: sleeps until a wake.
    func wait() { condition.wait() }

    /// As `wait()`, until `limit` at the latest. False: it has passed.
    func wait(until limit: Date) -> Bool { condition.wait(until: limit) }

    func wakeAll() { condition.broadcast() }
}
