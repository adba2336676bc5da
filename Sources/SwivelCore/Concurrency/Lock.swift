// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A value behind a lock, for the paths that are not measured in nanoseconds.
///
/// As `Synchronization.Mutex`, on the system's own lock, which ThreadSanitizer knows: it takes what
/// `Mutex` guards for a race, because that library is not instrumented.
package final class Lock<Value>: @unchecked Sendable {
    // because the value is touched under `mutex` only.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Behind a pointer, where no access is checked for exclusivity: that is the lock's job.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// A value behind an open lock.
    package init(_ value: Value) {
        self.value.initialize(to: value)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` on the value, under the lock. It must not call user code, nor release it.
    package func withLock<R>(_ body: (inout Value) -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }
}
