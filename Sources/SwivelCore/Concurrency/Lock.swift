// SPDX-License-Identifier: Apache-2.0
public import CSwivel.Internal

/// A value behind a lock, for the paths that are not measured in nanoseconds.
///
/// It stands on the core's own lock, not on `Synchronization.Mutex`: no forked child inherits it
/// held or its value half changed, and ThreadSanitizer sees it. (It does not see `Mutex`, and
/// reports races on what that protects.)
@usableFromInline
package final class Lock<Value>: @unchecked Sendable {
    // because the value is touched under `lock` only.
    @usableFromInline let lock = UnsafeMutablePointer<swivel_lock>.allocate(capacity: 1)
    /// Behind a pointer, where no access is checked for exclusivity: that is the lock's job.
    @usableFromInline let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// A value behind an open lock.
    @inlinable
    package init(_ value: Value) {
        lock.initialize(to: swivel_lock())
        self.value.initialize(to: value)
    }

    deinit {
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` on the value, under the lock. It must not call user code, nor release it, nor
    /// wait.
    @inlinable @inline(__always)
    package func withLock<R>(_ body: (inout Value) -> R) -> R {
        swivel__lock(lock)
        defer { swivel__unlock(lock) }
        return body(&value.pointee)
    }
}
