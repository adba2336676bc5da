// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import SwivelTestSupport
import Testing

@testable import SwivelCore

/// When the values of a lock are released.
@Suite struct LockTests {
    /// Notes at its release whether the lock is free.
    private final class Witness: Sendable {
        let lock: LockedMemory<Witness?>
        let isFree: Shared<Bool?>

        init(_ lock: LockedMemory<Witness?>, _ isFree: Shared<Bool?>) {
            self.lock = lock
            self.isFree = isFree
        }

        deinit {
            isFree.value = swivel__try_lock(lock.lock)
            if isFree.value == true { swivel__unlock(lock.lock) }
        }
    }

    /// C5. An optimizing compiler releases an unused result as early as it may.
    @Test func anUnusedResultIsReleasedAfterTheLock() {
        let isFree = Shared<Bool?>(nil)
        let lock = Lock<Witness?>(nil)
        lock.withLock { $0 = Witness(lock.memory, isFree) }
        _ = lock.withLock { $0.take() }
        #expect(isFree.value == true)
    }

    /// S3: a child makes its value anew, long after those that used it are gone.
    @Test func aLockOfTheProcessIsNeverReleased() {
        let isReleased = Shared(false)
        _ = Lock.ofProcess { former in
            former.map { UnsafeMutablePointer(mutating: $0).move() } ?? Lifetime(isReleased)
        }
        #expect(!isReleased.value)
    }

    /// Notes its release.
    private final class Lifetime: Sendable {
        let isReleased: Shared<Bool>

        init(_ isReleased: Shared<Bool>) { self.isReleased = isReleased }

        deinit { isReleased.value = true }
    }
}
