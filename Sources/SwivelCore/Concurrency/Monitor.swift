// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// A value behind a lock, and the threads that sleep until it changes: the only place in Swivel
/// where a thread sleeps without a loop.
///
/// A ``Lock`` with a condition: the value can be reached under the lock only, and no access to it
/// outlasts a sleep. It is not recursive.
package final class Monitor<State>: @unchecked Sendable {
    // because the lock guards the condition too, and the pointer never changes.
    private let state: Lock<State>
    private let condition = UnsafeMutablePointer<swivel_condition>.allocate(capacity: 1)

    /// A value behind an open lock.
    package init(_ state: State) {
        self.state = Lock(state)
        condition.initialize(to: swivel_condition())
    }

    deinit {
        condition.deallocate()
    }

    /// See ``Lock/withLock(_:)``.
    package func withLock<R>(_ body: (inout State) -> R) -> R {
        state.withLock(body)
    }

    /// Runs `body` on the value, under the lock, and lets it wake threads that sleep in
    /// ``wait(until:_:)``.
    package func withSleepers<R>(_ body: (inout State, Sleepers) -> R) -> R {
        withLock { body(&$0, Sleepers(condition: condition)) }
    }

    /// Runs `attempt` under the lock until it returns a result, and sleeps in between without the
    /// lock. A sleep may end for no reason.
    ///
    /// - Parameters:
    ///   - deadline: In nanoseconds on the loops' real clock. One more attempt follows it.
    ///   - attempt: As the body of ``withLock(_:)``. Its second argument says that this attempt is
    ///     the last one.
    /// - Returns: The result; `nil` if the last attempt had none.
    package func wait<R>(
        until deadline: UInt64, _ attempt: (inout State, _ isLast: Bool) -> R?
    ) -> R? {
        swivel__lock(state.lock)
        defer { swivel__unlock(state.lock) }
        var isLast = false
        while true {
            if let result = attempt(&state.value.pointee, isLast) { return result }
            if isLast { return nil }
            isLast = !swivel__condition_wait(
                condition, state.lock, swivel_real(ns: deadline))
        }
    }
}

/// The threads that sleep in a ``Monitor``, for whoever holds its lock.
package struct Sleepers {
    fileprivate let condition: UnsafeMutablePointer<swivel_condition>

    /// Wakes one of them, if there are any.
    package func wakeOne() { swivel__condition_signal(condition) }

    /// Wakes all of them.
    package func wakeAll() { swivel__condition_broadcast(condition) }
}
