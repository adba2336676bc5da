// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// Work on a context as a future, and the functions `async` and `await`.
@Suite(.offPool) struct SubmitTests {
    @Test func submittedWorkRunsOnTheContext() throws {
        let loop = try Loop()
        let queue = serialQueue()
        #expect(loop.submit { loop.isCurrent }.await())
        #expect(queue.submit { queue.isCurrent }.await())
        let immediate: Future<Int, Never> = ImmediateContext().submit { 1 }
        #expect(immediate.result == .success(1))
        loop.shutdown()
    }

    @Test func aSubmittedResultIsTheFuturesOwnAndRunsOnTheContext() throws {
        let loop = try Loop()
        let good: Future<Bool, Boom> = loop.submit {
            loop.isCurrent ? Result<Bool, Boom>.success(true) : .success(false)
        }
        let bad: Future<Int, Boom> = loop.submit { Result<Int, Boom>.failure(Boom(code: 1)) }
        #expect(good.awaited() == true)
        #expect(throws: Boom(code: 1)) { try bad.await() }
        loop.shutdown()
    }

    @Test func asyncRunsItsBodyInTheBackgroundOrOnAContext() throws {
        let queue = serialQueue()
        let here: Future<Int, any Error> = async { 1 }
        let there = async(on: queue) { queue.isCurrent }
        let failing: Future<Int, any Error> = async { throw Boom(code: 4) }
        #expect(try here.await() == 1)
        #expect(try there.await())
        #expect(throws: Boom(code: 4)) { try failing.await() }
        let ran = Counter()
        async { _ = ran.add() }
        #expect(eventually { ran.value == 1 })
    }

    @Test func asyncRunsASuspendingBodyAsATask() throws {
        let inner = Promise<Int, any Error>()
        let outer = async { try await inner.future.value + 1 }
        inner.succeed(1)
        #expect(try outer.await() == 2)
        let failing: Future<Int, any Error> = async {
            await Task.yield()
            throw Boom(code: 5)
        }
        #expect(throws: Boom(code: 5)) { try failing.await() }
    }

    @Test func theAwaitFunctionWaitsForAFutureOrABody() throws {
        #expect(try `await` { 1 } == 1)
        #expect(try `await`(async { 2 }) == 2)
        #expect(`await`(Async<Int> { 3 }) == 3)
        #expect((try? `await`(async { throw Boom() } as Future<Int, any Error>)) == nil)
        let queue = serialQueue()
        #expect(try `await`(on: queue) { queue.isCurrent })
        #expect(throws: Boom(code: 6)) { try `await` { throw Boom(code: 6) } }
        let nested = async { try `await`(async { try `await`(async { 4 }) }) }
        #expect(try nested.await() == 4)
        let delayed = Future<Int, any Error>(value: 5, after: .milliseconds(1))
        #expect(try `await`(delayed) == 5)
    }

    @Test func aContextDoesNotWaitForItself() throws {
        let loop = try Loop()
        let queue = serialQueue()
        for context in [loop, queue] as [any ExecutionContext] {
            let ran = Counter()
            let code = async(on: context) { () -> SwivelError.Code? in
                do {
                    try context.await(Future<Int, Never>(value: 1))
                    return nil
                } catch {
                    return (error as? SwivelError)?.code
                }
            }
            #expect(try code.await() == .wouldDeadlock)
            let bodyCode = async(on: context) { () -> SwivelError.Code? in
                do {
                    try `await`(on: context) { _ = ran.add() }
                    return nil
                } catch {
                    return (error as? SwivelError)?.code
                }
            }
            #expect(try bodyCode.await() == .wouldDeadlock)
            try async(on: context) {}.await()
            #expect(ran.value == 0)
        }
        loop.shutdown()
    }

    /// A full loop refuses new work whose future can say so; what cannot say so, and callbacks, run.
    @Test func aFullLoopFailsTheFuturesThatCanSaySo() throws {
        let loop = try manualLoop(maxPendingPosts: 1)
        let source = Promise<Int, any Error>()
        let mapped = source.future.map(on: loop) { $0 + 1 }
        loop.execute {}
        let refused: [Future<Int, any Error>] = [
            loop.submit { () throws -> Int in 1 }, async(on: loop) { 2 },
        ]
        let typed = loop.submit { () throws(SwivelError) -> Int in 3 }
        let failing = loop.submit { () throws(FutureError<Boom>) -> Int in 4 }
        for future in refused {
            #expect((future.result?.error as? SwivelError)?.code == .queueFull)
        }
        #expect(typed.result?.error?.code == .queueFull)
        #expect(failing.result?.error == .abandoned)
        #expect(loop.metrics.refused == 4)
        let infallible = loop.submit { 5 }
        let own = loop.submit { () throws(Boom) -> Int in 6 }
        source.succeed(7)
        loop.runDue()
        #expect(infallible.result == .success(5) && own.result == .success(6))
        #expect(try mapped.result?.get() == 8)
        #expect(loop.metrics.refused == 4)
    }
}

extension Future {
    /// The error, in a test where there must be one.
    var awaitedError: Failure? {
        do {
            try self.await()
            return nil
        } catch {
            return error
        }
    }
}
