// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

extension Loop {
    fileprivate static func embeddedOrNil() -> Loop? { try? .embedded() }
}

/// Posts and fairness: F1, F2.
@Suite(.offPool) struct PostTests {
    private let probe = Probe()

    /// F1: posts of one thread run in order, here and elsewhere.
    @Test func postsOfOneThreadRunInOrder() throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        for number in 0..<3_000 {
            loop.execute(probe.work { order.append(number) })
        }
        loop.runDue()
        #expect(order.value == Array(0..<3_000))
        loop.execute(
            probe.work { [probe] in
                for number in 3_000..<6_000 {
                    loop.execute(probe.work { order.append(number) })
                }
            })
        loop.runDue()
        #expect(order.value == Array(0..<6_000))
    }

    /// F1: a closure drives another loop, whose closures post to the first one.
    @Test(arguments: [false, true]) func theOrderHoldsAcrossAnotherLoopsTurn(isDriven: Bool) throws
    {
        let loop = isDriven ? try Loop.embedded() : try threadedLoop()
        let inner = try Loop.embedded()
        let (order, ran) = (Shared<[Int]>(), Gate())
        let post: @Sendable (Int) -> Void = { number in
            loop.execute {
                order.append(number)
                ran.open()
            }
        }
        let rounds = 50
        for round in 0..<rounds {
            loop.execute {
                let first = 1 + round * 6
                post(first)
                inner.execute { post(first + 1) }
                inner.runOnce(.noWait)
                post(first + 2)
                let ended = Loop.embeddedOrNil()
                ended?.execute { post(first + 3) }
                ended?.shutdown(.drain(within: .zero))
                post(first + 4)
                inner.execute { post(first + 5) }
                inner.runOnce(.noWait)
            }
            if isDriven {
                while loop.runOnce(.noWait) {}
            } else {
                ran.wait(times: 6 * (round + 1))
            }
        }
        #expect(order.value == Array(1...6 * rounds))
    }

    /// F2: own posts that never stop do not keep those of other threads, also where each turn drives
    /// another loop.
    @Test func ownPostsLetOthersInBesideAnotherLoop() throws {
        let (loop, inner) = (
            try Loop.embedded(.init(turnBudget: .init(count: 4))), try Loop.embedded()
        )
        let (again, ran) = (Shared<(@Sendable () -> Void)?>(nil), Counter())
        again.value = {
            inner.runOnce(.noWait)
            loop.execute { again.value?() }
        }
        for _ in 0..<20 { loop.execute { again.value?() } }
        loop.runOnce(.noWait)
        TestThread { loop.execute { ran.add() } }.join()
        for _ in 0..<100 where ran.value == 0 { loop.runOnce(.noWait) }
        #expect(ran.value == 1)
        again.value = nil
    }

    /// F2: never inside the call, neither elsewhere nor on the loop.
    @Test func aPostNeverRunsInsideTheCall() throws {
        let loop = try manualLoop()
        loop.execute(probe.work())
        #expect(probe.ran == 0)
        loop.runDue()
        #expect(probe.ran == 1)
        loop.inside { [probe] in
            loop.execute(probe.work())
            #expect(probe.ran == 1)
            #expect(loop.tryExecute(probe.work()))
            #expect(probe.ran == 1)
        }
        loop.runDue()
        #expect(probe.ran == 3)
    }

    /// F1: a closure that posts itself forever delays neither other posts nor timers.
    @Test func aPostThatRenewsItselfStarvesNothing() throws {
        let loop = try threadedLoop()
        let rounds = Counter()
        let stop = Shared(false)
        renew(loop, rounds, stop)
        let fired = Gate()
        loop.schedule(after: .milliseconds(2), probe.work { fired.open() })
        fired.wait()
        let posted = Gate()
        loop.execute(probe.work { posted.open() })
        posted.wait()
        #expect(rounds.value > 0)
        stop.value = true
        loop.shutdown(.drain(within: .seconds(60)))
    }

    private func renew(_ loop: Loop, _ rounds: Counter, _ stop: Shared<Bool>) {
        loop.execute(
            probe.work {
                rounds.add()
                if !stop.value {
                    self.renew(loop, rounds, stop)
                }
            })
    }

    /// F1: a turn has a budget of count for each kind of work; the rest runs in the next turn.
    @Test(arguments: [1, 2, 7, 100])
    func aTurnKeepsToItsBudget(count: Int) throws {
        let loop = try Loop.embedded(
            Loop.Configuration(
                name: "test.budget",
                turnBudget: Loop.TurnBudget(count: count, time: .seconds(3600))))
        let posts = Counter()
        let own = Counter()
        let timers = Counter()
        let probe = probe
        for _ in 0..<100 {
            loop.execute(probe.work { posts.add() })
        }
        // The first closure of the next kinds, so that all three kinds wait.
        loop.execute(
            probe.work {
                for _ in 0..<100 {
                    loop.execute(probe.work { own.add() })
                    loop.schedule(after: .nanoseconds(1), probe.work { timers.add() })
                }
            })
        var turns = 0
        while posts.value < 100 || own.value < 100 || timers.value < 100 {
            let before = (posts.value, own.value, timers.value)
            loop.runOnce(.noWait)
            #expect(posts.value - before.0 <= count)
            #expect(own.value - before.1 <= count)
            #expect(timers.value - before.2 <= count)
            turns += 1
            try #require(turns < 1_000)
        }
        #expect(turns >= 100 / count)
    }

    /// F1: one slow closure after another ends a turn by its time, and the poller is served.
    @Test func aTurnEndsByItsTime() throws {
        let loop = try Loop.embedded(
            Loop.Configuration(
                name: "test.budget",
                turnBudget: Loop.TurnBudget(count: 1_000_000, time: .milliseconds(1))))
        for _ in 0..<256 {
            loop.execute(probe.work { busy(for: .microseconds(100)) })
        }
        #expect(loop.runOnce(.noWait))
        #expect(probe.ran < 256)
        while loop.runOnce(.noWait) {}
        #expect(probe.ran == 256)
    }

    @Test func askingForTheLoopElsewhereTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try Loop.manual().preconditionCurrent()
        }
        #expect(result.errors.contains("this must run on the loop"))
    }
}

/// Uses the processor for so long.
func busy(for duration: Duration) {
    let ends = SuspendingClock.now + duration
    while SuspendingClock.now < ends {}
}
