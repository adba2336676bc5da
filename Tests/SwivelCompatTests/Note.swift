// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A value that a callback leaves, and that the test waits for.
final class Note<Value>: @unchecked Sendable {
    // because the condition guards the value.
    private let condition = NSCondition()
    private var stored: Value?

    init(_ value: Value? = nil) { stored = value }

    func set(_ value: Value) {
        condition.withLock {
            stored = value
            condition.broadcast()
        }
    }

    func update(_ body: (inout Value) -> Void) {
        condition.withLock {
            guard var value = stored else { return }
            body(&value)
            stored = value
        }
    }

    /// The value that is there.
    var value: Value {
        guard let value = condition.withLock({ stored }) else { fatalError("there is no value") }
        return value
    }

    /// The value, as soon as it is there. A minute without one ends the test.
    func wait() -> Value {
        let deadline = Date(timeIntervalSinceNow: 60)
        condition.withLock {
            while stored == nil, condition.wait(until: deadline) {}
        }
        return value
    }
}
