// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// P2: a callback runs exactly once on its context; callbacks of one future never overlap; adding one
/// inside another is safe.
@Suite(.offPool) struct CallbackTests {
    @Test func callbacksSeeTheResult() {
        let seen = Shared<[String]>()
        let (good, bad) = (Promise<Int, Boom>(), Promise<Int, Boom>())
        for future in [good.future, bad.future] {
            future.onSuccess(on: .immediate) { seen.append("value \($0)") }
                .onFailure(on: .immediate) { seen.append("error \($0.code)") }
                .onComplete(on: .immediate) { seen.append("\($0.value ?? -1)") }
        }
        good.succeed(1)
        bad.fail(Boom(code: 2))
        #expect(seen.value == ["value 1", "1", "error 2", "-1"])
    }

    @Test func callbacksRunOnTheirContext() throws {
        let loop = try Loop()
        let queue = serialQueue()
        let future = Future<Int, Never>(value: 1)
        let onLoop = future.map(on: loop) { _ in loop.isCurrent && Loop.current === loop }
        let onQueue = future.map(on: queue) { _ in queue.isCurrent }
        let byDefault = loop.submit { future.map { _ in loop.isCurrent } }.flatten()
        #expect(onLoop.await() && onQueue.await() && byDefault.await())
        loop.shutdown()
    }

    @Test func callbacksAddedInsideOthersRunAfterThem() throws {
        let loop = try Loop()
        for context in [.immediate, loop, WorkerPool.shared] as [any ExecutionContext] {
            let promise = Promise<Int, Never>()
            let seen = Shared<[Int]>()
            let future = promise.future
            future.onComplete(on: context) { _ in
                future.onComplete(on: context) { _ in
                    future.onComplete(on: context) { _ in seen.append(4) }
                    seen.append(3)
                }
                seen.append(1)
            }
            future.onComplete(on: context) { _ in seen.append(2) }
            promise.succeed(1)
            #expect(eventually { seen.value.count == 4 })
            #expect(seen.value == [1, 2, 3, 4])
        }
        loop.shutdown()
    }

    @Test func capturesAreReleasedRightAfterTheCallback() {
        let probe = Probe()
        let queue = QueueContext()
        let promise = Promise<Int, Boom>()
        let released = Shared<[Int]>()
        promise.future.onComplete(on: queue, probe.work { _ in })
        promise.future.onFailure(on: queue, probe.work { _ in })
        let mapped = promise.future.map(on: queue, probe.work { $0 + 1 })
        mapped.onComplete(on: .immediate) { _ in released.append(probe.released) }
        promise.succeed(1)
        for count in 0..<3 {
            #expect(probe.released == count)
            queue.runNext()
        }
        #expect(probe.released == 3)
        #expect(probe.ran == 2)
        #expect(mapped.result == .success(2))
    }

    @Test func aContextThatRunsWorkTwiceRunsTheCallbackOnce() {
        let twice = AnyContext { work in
            work()
            work()
        }
        let probe = Probe()
        let promise = Promise<Int, Never>()
        promise.future.onComplete(on: twice, probe.work { _ in })
        let mapped = promise.future.map(on: twice, probe.work { $0 + 1 })
        promise.succeed(1)
        #expect(mapped.result == .success(2))
        #expect(probe.ran == 2)
    }

    @Test func aCallbackThatIsDroppedLetsTheNextOneRun() {
        let probe = Probe()
        let promise = Promise<Int, Never>()
        promise.future.onComplete(on: dropping, probe.work { _ in })
        promise.future.onComplete(on: inline, probe.work { _ in })
        promise.future.onComplete(on: dropping, probe.work { _ in })
        promise.succeed(1)
        promise.future.onComplete(on: inline, probe.work { _ in })
        #expect(probe.ran == 2)
        #expect(probe.released == 4)
    }

    /// The optimizer must not take a future that only its list knows for one that is not needed.
    @Test func aFutureThatNobodyKeepsStillRunsItsCallback() throws {
        let loop = try Loop()
        let probe = Probe()
        let contexts = [loop, .background, inline, .immediate] as [any ExecutionContext]
        for round in 0..<400 {
            let promise = Promise<Int, any Error>()
            let context = contexts[round % 4]
            _ = promise.future.map(on: context, probe.work { $0 })
            _ = promise.future.flatMap(on: context, probe.work { Future(value: $0) })
            _ = promise.future.andThen(on: context, probe.work { _ in })
            _ = Future<Int, Never>(on: context, probe.work { 1 })
            promise.succeed(round)
        }
        #expect(eventually { probe.ran == 1_600 && probe.released == 1_600 })
        loop.shutdown()
    }

    @Test func completingWakesWhoWaitsBeforeItRunsCallbacks() {
        let (promise, after) = (Promise<Int, Never>(), Promise<Int, Never>())
        promise.future.onComplete(on: .immediate) { _ in after.future.await() }
        let waiter = TestThread { after.succeed(promise.future.await()) }
        promise.succeed(1)
        waiter.join()
        #expect(after.future.result == .success(1))
    }
}
