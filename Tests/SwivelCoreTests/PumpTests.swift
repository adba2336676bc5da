// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Waiting on a loop's thread: B1, for the loop's own nested turns.
@Suite(.offPool) struct PumpTests {
    private let probe = Probe()

    /// B1: a closure waits for a later one of its own batch, posts and timers alike.
    @Test(arguments: [true, false])
    func aClosureWaitsForALaterOneOfItsBatch(posts: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        let latch = Latch()
        let start: (@escaping @Sendable () -> Void) -> Void = { work in
            if posts {
                loop.execute(work)
            } else {
                loop.schedule(after: .milliseconds(1), work)
            }
        }
        start(
            probe.work {
                order.append(0)
                #expect(latch.wait())
                order.append(3)
            })
        start(probe.work { order.append(1) })
        start(
            probe.work {
                order.append(2)
                latch.signal()
            })
        start(probe.work { order.append(4) })
        loop.advance(by: .milliseconds(1))
        #expect(order.value.filter { $0 != 4 } == [0, 1, 2, 3])
        #expect(order.value.filter { $0 == 4 }.count == 1)
        #expect(probe.released == 4)
    }

    /// B1: a post waits for a timer that is due, and a timer for a post.
    @Test(arguments: [true, false])
    func aPostAndATimerWaitForEachOther(postWaits: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let latch = Latch()
        let waits = probe.work { #expect(latch.wait()) }
        loop.inside {
            if postWaits {
                loop.schedule(after: .nanoseconds(1), probe.work { latch.signal() })
                loop.execute(waits)
                loop.advance(by: .milliseconds(1))
            } else {
                loop.schedule(after: .nanoseconds(1), waits)
                loop.schedule(
                    after: .nanoseconds(1), probe.work { loop.execute { latch.signal() } })
            }
        }
        loop.advance(by: .milliseconds(1))
        #expect(latch.isOpen && probe.ran == 2)
        _ = consume waits
    }

    /// B1: timers, repeats and posts go on while a closure waits, exactly once each.
    @Test func everythingGoesOnDuringAWait() throws {
        let loop = try threadedLoop()
        let probe = probe
        let latch = Latch()
        let ticks = Counter()
        let done = Gate()
        let repeating = loop.schedule(
            every: .microseconds(100),
            probe.work {
                if ticks.add() == 10 { latch.signal() }
            })
        for number in 0..<100 {
            loop.execute(probe.work())
            loop.schedule(after: .microseconds(number * 3), probe.work())
        }
        loop.execute(
            probe.work {
                #expect(latch.wait())
                #expect(ticks.value >= 10)
                done.open()
            })
        done.wait()
        repeating.cancel()
        let report = loop.shutdown(.drain(within: .seconds(30)))
        #expect(report.cancelled == 0)
        #expect(probe.ran == 201 + ticks.value)
        #expect(probe.live == 0)
    }

    /// A signal that was due before the limit counts, even if the loop was busy when the limit came.
    @Test func whatWasDueByTheLimitRunsBeforeTheWaitEnds() throws {
        let loop = try threadedLoop()
        let latch = Latch()
        let probe = probe
        loop.onThread {
            // So late that the wait begins before it, whatever else the machine does.
            let limit = loop.now.advanced(by: .milliseconds(200))
            loop.schedule(at: limit - .milliseconds(1), probe.work { latch.signal() })
            loop.execute(probe.work { while loop.now < limit {} })
            #expect(latch.wait(until: limit))
        }
        #expect(probe.ran == 2)
        loop.shutdown()
    }

    /// A wait with a limit ends at it, on the loop's clock, and the latch can be waited for again.
    @Test func aWaitEndsAtItsDeadline() throws {
        let loop = try threadedLoop()
        let latch = Latch()
        let probe = probe
        loop.onThread {
            loop.schedule(after: .milliseconds(1), probe.work())
            let deadline = loop.now.advanced(by: .milliseconds(3))
            #expect(!latch.wait(until: deadline))
            #expect(loop.now >= deadline)
            #expect(probe.ran == 1)
            #expect(!latch.wait(until: loop.now), "a limit that has passed is a look")
            #expect(!latch.wait(until: LoopClock.Instant(nanoseconds: 0)))
            loop.schedule(after: .milliseconds(1), probe.work { latch.signal() })
            #expect(latch.wait(until: loop.now.advanced(by: .seconds(60))))
            #expect(latch.wait())
        }
        loop.shutdown()
    }

    /// The one that is running in an outer turn says so to an inner closure (C1, C2).
    @Test func anInnerClosureSeesTheOuterOneRunning() throws {
        let loop = try manualLoop()
        let probe = probe
        let outer = Shared<TimerHandle?>(nil)
        let latch = Latch()
        outer.value = loop.schedule(
            every: .milliseconds(1),
            probe.work {
                loop.execute(
                    probe.work {
                        #expect(outer.value?.cancel() == .running)
                        latch.signal()
                    })
                #expect(latch.wait())
                #expect(probe.released == 1, "the inner one only")
            })
        loop.advance(by: .milliseconds(10))
        #expect(probe.ran == 2 && probe.released == 2)
    }
}
