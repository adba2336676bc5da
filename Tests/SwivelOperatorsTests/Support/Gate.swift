// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A value that several threads touch.
final class Shared<Value>: @unchecked Sendable {
    // because the lock guards it.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { lock.withLock { stored } }
        set { update { $0 = newValue } }
    }

    @discardableResult
    func update<R>(_ body: (inout Value) -> R) -> R {
        lock.withLock { body(&stored) }
    }
}

/// A number that is waited for: never by sleeping, and not for ever.
final class Gate: @unchecked Sendable {
    // because the condition guards the count.
    private let condition = NSCondition()
    private var count: Int

    init(_ count: Int = 0) {
        self.count = count
    }

    var value: Int { condition.withLock { count } }

    /// Adds to the number.
    func open(_ amount: Int = 1) {
        condition.withLock {
            count += amount
            condition.broadcast()
        }
    }

    /// Waits until the number is at least `times`; fails the test if that takes a minute.
    func wait(_ times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) {
        if !isOpen(times, within: 60) {
            Issue.record("opened \(value) times, not \(times)", sourceLocation: sourceLocation)
        }
    }

    /// As `wait`, without failing the test.
    func isOpen(_ times: Int = 1, within seconds: TimeInterval) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while count < times {
                if !condition.wait(until: deadline) { return count >= times }
            }
            return true
        }
    }
}
