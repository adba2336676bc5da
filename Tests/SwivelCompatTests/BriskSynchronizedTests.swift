// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCompat
import SwivelTestSupport
import Testing

@Suite(.offPool) struct BriskSynchronizedTests {
    private struct Boom: Error {}

    @available(*, deprecated)
    @Test func aLockKeepsOthersOut() {
        final class Counter: @unchecked Sendable {
            // because `lock` guards the count.
            let lock = NSLock()
            var count = 0
        }
        let counter = Counter()
        DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
            synchronized(counter.lock) { counter.count += 1 }
        }
        #expect(counter.count == 1_000)
    }

    @available(*, deprecated)
    @Test func theBlockMayReturnAValueOrAnOptionalOrThrow() {
        let lock = NSRecursiveLock()
        #expect(synchronized(lock) { 3 } == 3)
        let none: Int? = synchronized(lock) { nil }
        #expect(none == nil)
        #expect(synchronized(lock, block: { Int("5") }) == 5)
        #expect(throws: Boom.self) {
            try synchronized(lock) { () throws(Boom) in throw Boom() }
        }
        #expect(lock.try())
        lock.unlock()
    }

    @available(*, deprecated)
    @Test func theLockOfTheProcessMayBeTakenAgainInside() {
        let sum = synchronized { 1 + synchronized { 2 } }
        #expect(sum == 3)
        let shared = Shared(0)
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            synchronized {
                let value = shared.value
                shared.value = value + 1
            }
        }
        #expect(shared.value == 100)
        let none: Int? = synchronized { Int("x") }
        #expect(none == nil)
        synchronized {}
    }

    @available(*, deprecated)
    private static func misuse() { brisk_raise("you cannot do that") }

    @available(*, deprecated)
    @Test func raisingStopsTheProgramWithItsReason() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest { BriskSynchronizedTests.misuse() }
        }
        #expect(printed("you cannot do that", result))
    }
}
