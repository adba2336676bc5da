// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// Futures that depend on time, on a loop whose time stands still until the test moves it.
@Suite(.offPool) struct TimeTests {
    @Test func futuresCompleteAfterADelay() throws {
        let loop = try manualLoop()
        let value = Future<Int, Boom>(value: 1, after: .seconds(1), on: loop)
        let error = Future<Int, Boom>(error: Boom(), after: .seconds(2), on: loop)
        let result = Future<Int, Boom>(result: .success(3), after: .seconds(3), on: loop)
        loop.advance(by: .milliseconds(999))
        #expect(value.result == nil)
        loop.advance(by: .milliseconds(1))
        #expect(value.result == .success(1) && error.result == nil)
        loop.advance(by: .seconds(2))
        #expect(error.result == .failure(Boom()) && result.result == .success(3))
        loop.shutdown()
    }

    /// As documented at LoopMetrics: the timer is a fire, each callback on the loop a post.
    @Test(arguments: [0, 1, 3]) func aDelayCountsOnceAndEachCallbackOnce(callbacks: Int) throws {
        let (loop, ran) = (try manualLoop(), Counter())
        let future = Future<Int, Boom>(value: 1).delay(.seconds(1), on: loop)
        for _ in 0..<callbacks { future.onSuccess(on: loop) { _ in ran.add() } }
        #expect(loop.metrics.pending == 1)
        let report = loop.shutdown(.drain(within: .seconds(9)))
        #expect(ran.value == callbacks && report.ran == 1 + callbacks && report.cancelled == 0)
        #expect(loop.metrics.fired == 1 && loop.metrics.posts == callbacks)
    }

    @Test func aLoopWithoutAThreadGoesThoughFuturesWaitForItsTime() throws {
        typealias Late = Future<Int, any Error>
        let (long, limit) = (Promise<Int, any Error>(), Duration.seconds(3600))
        weak var dropped: Loop?
        let futures: [Late]
        let limited: Future<Int, FutureError<any Error>>
        do {
            let loop = try Loop.embedded()
            dropped = loop
            futures = [
                Late(value: 1, after: limit, on: loop), Late(value: 1).delay(limit, on: loop),
                loop.submit(after: limit) { () throws in 1 },
            ]
            limited = long.future.timeout(limit, on: loop)
            loop.runOnce(.noWait)
        }
        #expect(dropped == nil)
        #expect(futures.allSatisfy { $0.isShutDown })
        #expect(limited.result?.error.map { "\($0)" } == "\(FutureError<any Error>.shutdown)")
        long.succeed(1)
    }

    @Test func aLimitThatPassesFailsAndLeavesTheFutureUsable() throws {
        let loop = try manualLoop()
        let promise = Promise<Int, Boom>()
        let limited = promise.future.timeout(.seconds(1), on: loop)
        loop.advance(by: .milliseconds(999))
        #expect(limited.result == nil)
        loop.advance(by: .milliseconds(1))
        #expect(limited.result == .failure(.timedOut))
        promise.succeed(1)
        #expect(limited.result == .failure(.timedOut))
        #expect(promise.future.result == .success(1))
        loop.shutdown()
    }

    @Test func aLimitOnALoopThatShutsDownFailsWithShutdown() throws {
        let loop = try manualLoop()
        let promise = Promise<Int, Boom>()
        let before = promise.future.timeout(.seconds(1), on: loop)
        loop.shutdown()
        #expect(before.result == .failure(.shutdown))
        let after = promise.future.timeout(.seconds(1), on: loop)
        #expect(after.result == .failure(.shutdown))
        promise.succeed(1)
        #expect(promise.future.timeout(.seconds(1), on: loop).result == .success(1))
    }
}
