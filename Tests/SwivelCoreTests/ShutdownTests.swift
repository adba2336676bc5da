// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// How a loop ends: S1, S2.
@Suite(.offPool) struct ShutdownTests {
    private let probe = Probe()

    /// S1: what is pending is released and counted, by kind.
    @Test(arguments: [true, false])
    func everythingPendingIsReleasedAndCounted(accepted: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let reusable = LoopTimer(on: loop, probe.work())
        for _ in 0..<10 {
            loop.schedule(after: .hours(1), probe.work())
            loop.schedule(every: .hours(1), probe.work())
        }
        reusable.arm(after: .hours(1))
        if accepted {
            loop.runDue()
        }
        loop.schedule(after: .zero, probe.work())
        for _ in 0..<7 { loop.execute(probe.work()) }
        let report = loop.shutdown()
        #expect(report.cancelledTimers == 22)
        #expect(report.cancelledPosts == 7)
        #expect(report.cancelled == 29)
        #expect(report.ran == 0 && report.running == 0 && report.refused == 0)
        #expect(report.isComplete)
        #expect(probe.live == 0 && probe.ran == 0)
        #expect(loop.metrics.pending == 0)
        #expect(!reusable.isArmed)
    }

    /// S1: an idle reusable timer is no timer that was cancelled, and is released.
    @Test func anIdleLoopTimerIsReleasedAndNotCounted() throws {
        let loop = try manualLoop()
        let timer = LoopTimer(on: loop, probe.work())
        #expect(loop.shutdown().cancelled == 0)
        #expect(probe.live == 0)
        #expect(!timer.isArmed)
    }

    /// S1: a drain runs no repeat, also none whose messages are still on their way.
    @Test func aDrainEndsARepeatThatAnotherThreadHasArmedAndMoved() throws {
        let loop = try manualLoop()
        let work = probe.work()
        TestThread {
            let timer = loop.schedule(every: .milliseconds(1), work)
            timer.rearm(after: .zero)
        }.join()
        let report = loop.shutdown(.drain(within: .seconds(2)))
        #expect(report.ran == 0 && report.cancelled == 1 && probe.ran == 0)
    }

    /// S1: from a closure it returns at once, and the loop closes when that has returned.
    @Test(arguments: [true, false], [ShutdownMode.cancelPending, .drain(within: .seconds(60))])
    func itIsCalledFromAClosure(byTimer: Bool, mode: ShutdownMode) throws {
        let loop = try threadedLoop()
        let done = Gate()
        let body = probe.work {
            let report = loop.shutdown(mode)
            #expect(!report.isComplete)
            #expect(loop.isCurrent)
            #expect(!loop.shutdown().isComplete, "twice")
            done.open()
        }
        loop.schedule(after: .hours(2), probe.work())
        loop.schedule(every: .hours(1), probe.work())
        if byTimer {
            loop.schedule(after: .microseconds(10), body)
        } else {
            loop.execute(body)
        }
        done.wait()
        let report = loop.shutdown()
        #expect(report.isComplete)
        #expect(report.cancelledTimers == 2)
        _ = consume body
    }

    /// S1: each loop releases, while it closes, what shuts the other one down.
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .zero)])
    func loopsThatCloseEndEachOther(mode: ShutdownMode) throws {
        for _ in 0..<20 {
            let loops = [try threadedLoop(), try threadedLoop()]
            let meeting = Counter()
            for (loop, other) in [(loops[0], loops[1]), (loops[1], loops[0])] {
                let ender = AtRelease {
                    meeting.add()
                    _ = eventually { meeting.value == 2 }
                    _ = other.shutdown()
                }
                loop.schedule(after: .hours(1), probe.work { withExtendedLifetime(ender) {} })
            }
            onThreads(2) { #expect(loops[$0].shutdown(mode).cancelledTimers == 1) }
        }
        probe.waitForReleases(40)
    }

    private final class AtRelease: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        deinit { body() }
    }

    /// S1: from a closure that a pump runs: the loop closes when the outermost turn has returned,
    /// and the wait that pumps stays wakeable.
    @Test func itIsCalledInsideAPump() throws {
        let loop = try threadedLoop()
        let latch = Latch()
        let order = Shared<[Int]>()
        let probe = probe
        let done = Gate()
        loop.execute(
            probe.work {
                loop.execute(
                    probe.work {
                        #expect(!loop.shutdown().isComplete)
                        order.append(1)
                    })
                #expect(latch.wait())
                order.append(3)
                done.open()
            })
        let helper = TestThread {
            let limit = SuspendingClock.now + .seconds(20)
            while order.value.isEmpty && SuspendingClock.now < limit {}
            order.append(2)
            latch.signal()
        }
        done.wait()
        #expect(loop.shutdown().isComplete)
        #expect(order.value == [1, 2, 3])
        helper.join()
    }

    /// S1: a loop without a thread shuts down when it is released, a threaded one is alive until
    /// shutdown.
    @Test func aReleasedLoopShutsDownOrLivesOn() throws {
        do {
            let loop = try Loop.embedded()
            loop.schedule(after: .hours(1), probe.work())
            loop.execute(probe.work())
        }
        #expect(probe.live == 0)
        weak var gone: Loop?
        let ran = Gate()
        do {
            let loop = try threadedLoop()
            gone = loop
            loop.schedule(after: .microseconds(100), probe.work { ran.open() })
        }
        ran.wait()
        #expect(gone != nil)
        gone?.shutdown()
        let limit = SuspendingClock.now + .seconds(20)
        while gone != nil && SuspendingClock.now < limit {}
        #expect(gone == nil)
    }

    /// The shared loop and the main thread's live as long as the process.
    @Test func theSharedLoopsCannotBeShutDown() async throws {
        for number in 0..<2 {
            let result: ExitTest.Result
            if number == 0 {
                result = try await #require(processExitsWith: .failure, observing: standardError) {
                    exitTest { Loop.shared.shutdown() }
                }
            } else {
                result = try await #require(processExitsWith: .failure, observing: standardError) {
                    exitTest { Loop.main.shutdown() }
                }
            }
            #expect(result.errors.contains("live as long as the process"))
        }
    }
}
