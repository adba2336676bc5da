// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The latch that a thread keeps from one wait to the next.
@Suite(.offPool) struct KeptLatchTests {
    @Test func aThreadKeepsItsLatchAndFindsItClosed() {
        let isSame = onThread {
            let first = Latch.borrowed { latch in
                latch.signal()
                return ObjectIdentifier(latch)
            }
            return Latch.borrowed { ObjectIdentifier($0) == first && !$0.isOpen }
        }
        #expect(isSame)
    }

    /// Whoever opens a latch may still be doing so when the wait has ended, but not for long.
    @Test func aLatchIsKeptThoughItsHolderLetsGoLater() {
        let isSame = onThread {
            var held: Latch? = Latch.borrowed { $0 }
            let first = WeakLatch(held!)
            held?.signal()
            held = nil
            return Latch.borrowed { $0 === first.latch && !$0.isOpen }
        }
        #expect(isSame)
    }

    @Test func twoTakeTurnsWhileTheyAreHeldByTurns() {
        let isFirst = onThread {
            var held: Latch? = Latch.borrowed { $0 }
            let first = WeakLatch(held!)
            held = Latch.borrowed { $0 }
            return Latch.borrowed { $0 === first.latch && $0 !== held && !$0.isOpen }
        }
        #expect(isFirst)
    }

    /// It might be opened in the middle of the next wait.
    @Test func aLatchThatIsStillHeldIsNotBorrowed() {
        let isOther = onThread {
            let held = Latch.borrowed { $0 }
            return Latch.borrowed { latch in
                held.signal()
                return latch !== held && !latch.isOpen
            }
        }
        #expect(isOther)
    }

    @Test func nestedWaitsHaveTheirOwn() {
        let areOther = onThread {
            Latch.borrowed { outer in
                Latch.borrowed { inner in inner !== outer }
            }
        }
        #expect(areOther)
    }

    @Test func itGoesWithItsThread() {
        let (kept, wasThere) = onThread {
            let kept = Latch.borrowed { WeakLatch($0) }
            return (kept, kept.latch != nil)
        }
        #expect(wasThere)
        #expect(kept.latch == nil)
    }

    /// The core keeps sixteen words of a thread for it.
    @Test func theThreadsWordsFitItsCell() {
        #expect(MemoryLayout<Trampoline>.size <= 16 * MemoryLayout<UInt>.size)
    }

    /// One that other threads open, again and again.
    @Test func eachWaitEndsByItsOwnSignal() {
        let current = Shared<Latch?>(nil)
        let isOver = Shared(false)
        let opener = TestThread {
            while !isOver.value {
                current.update { $0.take() }?.signal()
            }
        }
        for round in 0..<Machine.scaled(20_000) {
            let isOpen = Latch.borrowed { latch in
                current.value = latch
                return latch.wait(until: .now.advanced(by: .seconds(60)))
            }
            guard isOpen else {
                Issue.record("round \(round) has not ended")
                break
            }
        }
        isOver.value = true
        opener.join()
    }
}

private final class WeakLatch: @unchecked Sendable {
    // because it is written once, by the thread that makes it.
    private(set) weak var latch: Latch?

    init(_ latch: Latch) {
        self.latch = latch
    }
}
