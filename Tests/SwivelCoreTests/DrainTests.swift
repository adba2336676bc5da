// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Shutdown with `.drain`: S1.
@Suite(.offPool) struct DrainTests {
    private let probe = Probe()

    /// S1: accepted posts run, due one-shots run, repeats stop, the rest is released and counted.
    @Test(arguments: [true, false])
    func acceptedWorkRunsAndTheRestIsReleased(threaded: Bool) throws {
        let loop = threaded ? try threadedLoop() : try Loop.embedded()
        let order = Shared<[Int]>()
        let probe = probe
        let began = Gate()
        let mayGoOn = Gate()
        if threaded {
            loop.execute {
                began.open()
                mayGoOn.wait()
            }
            began.wait()
        }
        loop.schedule(after: .milliseconds(2), probe.work { order.append(2) })
        loop.schedule(after: .milliseconds(1), probe.work { order.append(1) })
        loop.schedule(after: .hours(1), probe.work { order.append(-1) })
        loop.schedule(every: .microseconds(1), probe.work { order.append(-2) })
        loop.schedule(everyAfterCompletion: .microseconds(1), probe.work { order.append(-3) })
        loop.execute(probe.work { order.append(0) })
        let helper = TestThread {
            busy(for: .milliseconds(1))
            mayGoOn.open()
        }
        let report = loop.shutdown(.drain(within: .seconds(30)))
        helper.join()
        let once = order.value.filter { $0 >= 0 }
        #expect(once == [0, 1, 2])
        #expect(!order.value.contains(-1))
        #expect(report.isComplete)
        #expect(report.cancelledPosts == 0)
        #expect(report.cancelledTimers == 3)
        #expect(probe.live == 0)
        #expect(loop.metrics.fired >= 2)
    }

    /// F1: a drain keeps the order of the thread's posts, from closures and from between its drives.
    @Test func aDrainKeepsTheOrderOfPosts() throws {
        let loop = try Loop.embedded(.init(turnBudget: .init(count: 8)))
        let order = Shared<[Int]>()
        let post: @Sendable (Int) -> Void = { number in loop.execute { order.append(number) } }
        loop.execute { post(1) }
        loop.runOnce(.noWait)
        post(2)
        loop.execute { post(100) }
        for number in 3..<100 { post(number) }
        loop.shutdown(.drain(within: .seconds(1)))
        #expect(order.value == Array(1...100))
    }

    /// S1: what accepted closures schedule runs too, posts and one-shots within the limit.
    @Test func whatDrainingClosuresScheduleRuns() throws {
        let loop = try Loop.embedded()
        let probe = probe
        let order = Shared<[Int]>()
        loop.execute(
            probe.work {
                loop.execute(
                    probe.work {
                        order.append(1)
                        loop.schedule(
                            after: .milliseconds(1),
                            probe.work {
                                order.append(2)
                                loop.schedule(after: .zero, probe.work { order.append(3) })
                                loop.schedule(after: .hours(1), probe.work())
                                let tick = probe.work()
                                let handle = loop.schedule(every: .microseconds(1), tick)
                                #expect(!handle.isPending)
                            })
                    })
                order.append(0)
            })
        let report = loop.shutdown(.drain(within: .seconds(30)))
        #expect(order.value == [0, 1, 2, 3])
        #expect(report.ran == 4)
        #expect(report.cancelledTimers == 1)
        #expect(probe.live == 0)
    }

    /// S1: posts that renew themselves end at the limit.
    @Test func aDrainEndsAtItsLimit() throws {
        let loop = try Loop.embedded()
        let rounds = Counter()
        renew(loop, rounds)
        let start = SuspendingClock.now
        let report = loop.shutdown(.drain(within: .milliseconds(20)))
        #expect(SuspendingClock.now - start >= .milliseconds(20))
        #expect(rounds.value == report.ran)
        #expect(report.cancelledPosts == 1)
        #expect(probe.live == 0)
    }

    private func renew(_ loop: Loop, _ rounds: Counter) {
        loop.execute(
            probe.work {
                rounds.add()
                self.renew(loop, rounds)
            })
    }

    /// S1: nor do they wait for the budget of a turn, and one-shots that were due by then neither, where
    /// the loop is late.
    @Test(arguments: [true, false])
    func aLateDrainRunsWhatWasAccepted(inside: Bool) throws {
        let loop = try Loop.embedded(.init(turnBudget: .init(count: 8)))
        let probe = probe
        let fill: @Sendable () -> Void = {
            for _ in 0..<100 { loop.execute(probe.work()) }
            for _ in 0..<300 { loop.schedule(after: .nanoseconds(1), probe.work()) }
        }
        if inside {
            loop.execute(fill)
            loop.runOnce(.noWait)
        } else {
            fill()
        }
        let before = probe.ran
        loop.schedule(after: .hours(1), probe.work())
        busy(for: .milliseconds(1))
        let report = loop.shutdown(.drain(within: .zero))
        #expect(probe.ran == 400)
        #expect(report.ran == 400 - before)
        #expect(report.cancelledPosts == 0 && report.cancelledTimers == 1)
    }

    /// S1: a repeat that the loop has not taken up when its drain begins has no tick.
    @Test(arguments: [true, false])
    func aRepeatOnItsWayHasNoTick(threaded: Bool) throws {
        let loop = threaded ? try threadedLoop() : try Loop.embedded()
        let entered = Gate()
        let mayGoOn = Gate()
        if threaded {
            loop.execute {
                entered.open()
                mayGoOn.wait()
            }
            entered.wait()
        }
        let ticks = Counter()
        loop.schedule(every: .milliseconds(1)) { _ in ticks.add() }
        loop.schedule(everyAfterCompletion: .milliseconds(1)) { _ in ticks.add() }
        let helper = TestThread {
            _ = eventually { !loop.tryExecute {} }
            mayGoOn.open()
        }
        let report = loop.shutdown(.drain(within: .seconds(2)))
        helper.join()
        #expect(ticks.value == 0 && report.cancelledTimers == 2)
    }

    /// S2: while it drains, other threads are refused.
    @Test func aDrainingLoopRefusesOtherThreads() throws {
        let loop = try threadedLoop()
        let draining = Gate()
        let mayEnd = Gate()
        let probe = probe
        loop.schedule(
            after: .milliseconds(1),
            probe.work {
                draining.open()
                mayEnd.wait()
                loop.execute(probe.work())
            })
        let closer = TestThread { loop.shutdown(.drain(within: .seconds(60))) }
        draining.wait()
        let limit = SuspendingClock.now + .seconds(20)
        while loop.tryExecute({}) && SuspendingClock.now < limit {}
        let ran = probe.ran
        loop.execute(probe.work())
        let handle = loop.schedule(after: .zero, probe.work())
        #expect(!handle.isPending)
        #expect(probe.released >= 2)
        mayEnd.open()
        closer.join()
        #expect(probe.ran == ran + 1)
        #expect(loop.shutdown().refused >= 2)
    }

    /// The first call decides the mode.
    @Test func theFirstCallDecidesTheMode() throws {
        let loop = try threadedLoop()
        let began = Gate()
        let mayEnd = Gate()
        loop.execute {
            began.open()
            mayEnd.wait()
        }
        began.wait()
        loop.execute(probe.work())
        let first = Shared<ShutdownReport?>(nil)
        let closer = TestThread { first.value = loop.shutdown(.drain(within: .seconds(60))) }
        let limit = SuspendingClock.now + .seconds(20)
        while loop.tryExecute({}) && SuspendingClock.now < limit {}
        let opener = TestThread {
            busy(for: .milliseconds(1))
            mayEnd.open()
        }
        let second = loop.shutdown(.cancelPending)
        closer.join()
        opener.join()
        #expect(probe.ran == 1)
        #expect(second.cancelledPosts == 0)
        #expect(first.value?.ran == second.ran)
    }
}
