// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

@Suite(.offPool) struct InvalidationTokenTests {
    @Test func invalidatingIsOnceAndForAll() {
        let token = InvalidationToken()
        #expect(!token.isInvalid && token.future.result == nil)
        token.invalidate()
        token.invalidate()
        #expect(token.isInvalid)
        #expect(token.future.result?.error == .invalidated)
    }

    @Test func theTokenIsCheckedWhenTheWorkStarts() {
        let token = InvalidationToken()
        let queue = QueueContext()
        let probe = Probe()
        let future = Future<Int, any Error>(value: 1)
        future.onComplete(on: token.context(queue), probe.work { _ in })
        let derived = future.map(on: token.context(queue), probe.work { $0 })
        queue.runNext()
        token.invalidate()
        queue.runAll()
        #expect(probe.ran == 1 && probe.released == 2)
        #expect(derived.isAbandoned)
    }

    @Test func workThatWouldRunInsideTheCallNeedsAValidTokenToo() throws {
        let loop = try manualLoop()
        let token = InvalidationToken()
        let (probe, seen) = (Probe(), Shared<[Int]>())
        loop.inside {
            let context = token.context(loop)
            context.each(
                1...4,
                probe.work { (number: Int) in
                    seen.append(number)
                    if number == 2 { token.invalidate() }
                })
            #expect(!context.isCurrent)
            context.each(5...6) { seen.append($0) }
            #expect(context.submit { () throws in 1 }.isAbandoned)
        }
        #expect(seen.value == [1, 2])
        #expect(probe.released == 1)
        loop.shutdown()
    }

    @Test func aGuardedFutureFailsWhenTheTokenIsInvalidatedFirst() {
        let token = InvalidationToken()
        let (good, bad, late) = (
            Promise<Int, Boom>(), Promise<Int, Boom>(), Promise<Int, Boom>()
        )
        let guarded = [good, bad, late].map { token.guarding($0.future) }
        good.succeed(1)
        bad.fail(Boom(code: 2))
        token.invalidate()
        late.succeed(3)
        #expect(
            guarded.map(\.result) == [
                .success(1), .failure(.failed(Boom(code: 2))), .failure(.invalidated),
            ])
        #expect(token.guarding(Future<Int, Boom>()).result == .failure(.invalidated))
    }

    @Test func aTokenKeepsNothingOfAGuardedFutureThatIsOver() {
        let token = InvalidationToken()
        let probe = Probe()
        do {
            let guarded = token.guarding(Future<Probe.Token, Boom>(value: probe.token()))
            #expect(guarded.isSuccess)
        }
        #expect(probe.released == 1)
        let neverCompleted = { token.guarding(Future<Int, Boom>()) }()
        #expect(neverCompleted.result == .failure(.abandoned))
        #expect(!token.isInvalid)
    }

    /// A callback on a queue never runs after `invalidate()` was executed on that queue.
    @Test func noCallbackRunsAfterAnInvalidationOnItsQueue() {
        let queue = serialQueue()
        for _ in 0..<2_000 {
            let token = InvalidationToken()
            let isOver = Shared(false)
            let late = Counter()
            let promise = Promise<Int, Never>()
            for _ in 0..<4 {
                promise.future.onComplete(on: token.context(queue)) { _ in
                    if isOver.value { late.add() }
                }
            }
            let completer = Async<Void> { promise.succeed(1) }
            let invalidation = queue.submit {
                token.invalidate()
                isOver.value = true
            }
            completer.await()
            invalidation.await()
            queue.sync {}
            #expect(late.value == 0)
        }
    }

    @Test func aWaitForTheContextThatWaitsIsRefusedThoughTheTokenIsInvalid() {
        let (token, queue) = (InvalidationToken(), serialQueue())
        token.invalidate()
        let error = queue.sync {
            #expect(throws: SwivelError.self) {
                try token.context(queue).await(Future<Int, Never>(value: 1))
            }
        }
        #expect(error?.code == .wouldDeadlock)
    }
}
