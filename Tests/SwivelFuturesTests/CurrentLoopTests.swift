// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import SwivelTesting
import Testing

/// Callbacks on the loop that is current go on in its turn: in order with the thread's posts and
/// timers without delay (F1, T5), after the closure under way (F2), one at a time (P2), under the
/// turn's budget (F1), and to their end or release when the loop shuts down.
@Suite(.offPool) struct CurrentLoopTests {
    @Test func aLongChainKeepsNothingWaitingBeyondTheBudget() throws {
        let (links, budget) = (100_000, 100)
        let loop = try Loop.embedded(
            Loop.Configuration(
                turnBudget: Loop.TurnBudget(count: budget, time: .seconds(3_600))))
        let (ran, end) = (Counter(), Shared<Future<Int, Never>?>(nil))
        loop.execute {
            let promise = Promise<Int, Never>()
            end.value = (0..<links).reduce(promise.future) { future, _ in
                future.map(on: loop) { _ in ran.add() }
            }
            promise.succeed(0)
        }
        var turns = 0
        while end.value?.isCompleted != true, turns <= links {
            let before = ran.value
            let served = Shared<[String]>()
            if turns % 10 == 0 {
                onThread {
                    loop.execute { served.append("post") }
                    loop.schedule(after: .zero) { served.append("timer") }
                }
            }
            loop.runOnce(.noWait)
            #expect(served.value == (turns % 10 == 0 ? ["post", "timer"] : []))
            #expect(ran.value - before <= budget)
            turns += 1
        }
        #expect(ran.value == links)
        #expect(turns == links / budget)
        loop.shutdown()
    }

    @Test(arguments: [1, 500, 998])
    func aShutdownInAChainEndsItsRest(at link: Int) throws {
        let loop = try Loop()
        let (probe, end) = (Probe(), Shared<Future<Int, any Error>?>(nil))
        let inLane = Counter()
        loop.onThread {
            let promise = Promise<Int, any Error>()
            end.value = (0..<1_000).reduce(promise.future) { future, number in
                future.onSuccess(on: loop) { _ in inLane.add() }
                return future.map(
                    on: loop,
                    probe.work { (value: Int) -> Int in
                        if number == link { loop.shutdown() }
                        return value + 1
                    })
            }
            promise.succeed(0)
        }
        #expect(eventually { end.value?.isShutDown == true })
        loop.shutdown()
        #expect(probe.ran == link + 1)
        #expect(inLane.value == link + 1)
        #expect(probe.live == 0)
        end.value = nil
    }

    @Test func callbacksTakeRoomUnderALimitUntilTheyHaveRun() throws {
        let loop = try manualLoop(maxPendingPosts: 2)
        let (ran, accepted) = (Counter(), Shared<[Bool]>())
        loop.inside {
            let promises = (0..<2).map { _ in Promise<Int, Never>() }
            for promise in promises {
                _ = promise.future.map(on: loop) { _ in ran.add() }
                    .map(on: loop) { _ in ran.add() }
                promise.succeed(0)
            }
            accepted.append(loop.tryExecute {})
        }
        accepted.append(loop.tryExecute {})
        accepted.append(loop.tryExecute {})
        accepted.append(loop.tryExecute {})
        loop.runDue()
        #expect(ran.value == 4)
        #expect(accepted.value == [false, true, true, false])
    }

    @Test func aCallbackOfAnotherThreadWaitsForTheSeedsOrder() throws {
        let loop = try Loop.manual(startingAt: epoch, seed: 1)
        let ran = Counter()
        onThread { _ = Future<Int, Never>(value: 1).map(on: loop) { _ in ran.add() } }
        #expect(ran.value == 0)
        loop.runDue()
        #expect(ran.value == 1)
        let end = onThread { Future<Int, any Error>(value: 1).map(on: loop) { $0 } }
        loop.shutdown()
        #expect(end.isShutDown)
    }

    /// Random programs agree with a queue of names.
    @Test func theOrderIsThatOfOneQueue() throws {
        var random = Seeded()
        for _ in 0..<60 {
            let program = CurrentLoopProgram(&random)
            let budget = Loop.TurnBudget(count: 1 + random.below(6), time: .seconds(3_600))
            let loop = try manualLoop(turnBudget: budget)
            let run = CurrentLoopRun(program, on: loop)
            loop.inside { run.begin(program.first) }
            loop.inside { run.begin(program.last) }
            #expect(run.seen.value == program.expected())
            #expect(!run.hasNested.value)
            loop.shutdown()
        }
    }
}
