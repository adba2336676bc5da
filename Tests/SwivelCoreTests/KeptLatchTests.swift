// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The latch that a thread keeps from one wait to the next.
@Suite(.offPool) struct KeptLatchTests {
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

    init(_ latch: Latch) { self.latch = latch }
}
