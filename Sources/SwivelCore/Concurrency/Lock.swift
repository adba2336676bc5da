// SPDX-License-Identifier: Apache-2.0

/// A value behind a lock, for the paths that are not measured in nanoseconds.
///
/// As `Synchronization.Mutex`, on the system's own lock, which ThreadSanitizer knows: it takes what
/// `Mutex` guards for a race, because that library is not instrumented.
package final class Lock<Value>: @unchecked Sendable {
    // because `value` is touched under `parker` only.
    private let parker = ThreadParker()
    private var value: Value

    /// A value behind an open lock.
    package init(_ value: Value) {
        self.value = value
    }

    /// Runs `body` on the value, under the lock. It must not call user code, nor release it.
    package func withLock<R>(_ body: (inout Value) -> R) -> R {
        parker.withLock { body(&value) }
    }
}
