// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A lock with a condition: the only place in Swivel where a thread sleeps without a loop.
package final class ThreadParker: @unchecked Sendable {
    // because the mutex guards whatever its user guards with it; the pointers never change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// An open lock.
    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if !canImport(Darwin)
        // Limits are on the loops' clock, which no change of the wall clock moves.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` under the lock. It must not call user code.
    package func withLock<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Sleeps until ``wakeOne()`` or ``wakeAll()``, or until `deadline` on the loops' real clock.
    /// Under the lock, which it leaves while it sleeps. May wake for no reason.
    ///
    /// - Returns: False at the deadline.
    package func park(until deadline: UInt64 = .max) -> Bool {
        if deadline == .max {
            pthread_cond_wait(condition, mutex)
            return true
        }
        let now = swivel_now_ns()
        guard deadline > now else { return false }
        #if canImport(Darwin)
        var time = Self.timespec(deadline - now)
        return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
        #else
        var time = Self.timespec(deadline)
        return pthread_cond_timedwait(condition, mutex, &time) == 0
        #endif
    }

    private static func timespec(_ nanoseconds: UInt64) -> timespec {
        #if canImport(Darwin)
        Darwin.timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        #else
        Glibc.timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        #endif
    }

    /// Wakes one sleeper.
    package func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all sleepers.
    package func wakeAll() { pthread_cond_broadcast(condition) }
}
