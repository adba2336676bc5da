// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// A lock with a condition: the only place in Swivel where a thread sleeps without a loop.
package final class ThreadParker: @unchecked Sendable {
    // because the lock guards whatever its user guards with it; the pointers never change.
    private let lock = UnsafeMutablePointer<swivel_lock>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<swivel_condition>.allocate(capacity: 1)

    /// An open lock.
    package init() {
        lock.initialize(to: swivel_lock())
        condition.initialize(to: swivel_condition())
    }

    deinit {
        condition.deallocate()
        lock.deallocate()
    }

    /// Runs `body` under the lock. It must not call user code.
    package func withLock<R>(_ body: () -> R) -> R {
        swivel__lock(lock)
        defer { swivel__unlock(lock) }
        return body()
    }

    /// Sleeps until ``wakeOne()`` or ``wakeAll()``, or until `deadline` on the loops' real clock.
    /// Under the lock, which it leaves while it sleeps. May wake for no reason.
    ///
    /// - Returns: False at the deadline.
    package func park(until deadline: UInt64 = .max) -> Bool {
        swivel__condition_wait(condition, lock, swivel_real(ns: deadline))
    }

    /// Wakes one sleeper. Under the lock.
    package func wakeOne() { swivel__condition_signal(condition) }

    /// Wakes all sleepers. Under the lock.
    package func wakeAll() { swivel__condition_broadcast(condition) }
}

/// A value that a lock or a thread of its owner's guards.
package final class Guarded<Value>: @unchecked Sendable {
    // because its owner touches it under that lock, or on that thread, only.
    package var value: Value

    /// A value, guarded from here on.
    package init(_ value: Value) {
        self.value = value
    }
}
