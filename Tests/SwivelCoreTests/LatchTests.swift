// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Something that happens once, and those who wait for it, on plain threads.
@Suite(.offPool) struct LatchTests {
    @Test func anOpenLatchDoesNotHoldUp() {
        let latch = Latch()
        #expect(!latch.isOpen)
        latch.signal()
        latch.signal()
        #expect(latch.isOpen && latch.wait() && latch.wait(until: .now))
    }

    @Test func manyThreadsWaitForOneSignal() {
        for _ in 0..<Machine.scaled(100, by: 2) {
            let latch = Latch()
            let ended = Counter()
            let waiting = Gate()
            let threads = (0..<8).map { number in
                TestThread {
                    waiting.open()
                    let limit = LoopClock.Instant.now.advanced(by: .seconds(60))
                    if number % 2 == 0 ? latch.wait() : latch.wait(until: limit) { ended.add() }
                }
            }
            waiting.wait(times: 8)
            latch.signal()
            threads.forEach { $0.join() }
            #expect(ended.value == 8)
        }
    }

    @Test(arguments: [-1, 0, 1, 2_000_000])
    func aWaitEndsAtItsDeadline(nanoseconds: Int) {
        let latch = Latch()
        let deadline = LoopClock.Instant.now.advanced(by: .nanoseconds(nanoseconds))
        #expect(!latch.wait(until: deadline))
        #expect(LoopClock.Instant.now >= deadline)
        #expect(!latch.wait(until: LoopClock.Instant(nanoseconds: 0)))
        latch.signal()
        #expect(latch.wait(until: LoopClock.Instant(nanoseconds: 0)), "it has happened")
    }

    /// A wait until the far future lasts as long as it takes.
    @Test func anEnormousDeadlineIsWaitedFor() {
        for deadline in [LoopClock.Instant.never, .init(nanoseconds: .max - 1)] {
            let latch = Latch()
            let thread = TestThread { latch.signal() }
            #expect(latch.wait(until: deadline))
            thread.join()
        }
    }

    /// Signal and wait race; the latch may go as soon as the wait has ended.
    @Test func theLatchMayGoWhenTheWaitHasEnded() {
        for _ in 0..<Machine.scaled(2_000) {
            let latch = Latch()
            let thread = TestThread { latch.signal() }
            #expect(latch.wait())
            thread.join()
        }
    }
}
