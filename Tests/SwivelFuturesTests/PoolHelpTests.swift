// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// A pool's worker that waits for work of its own pool, which no other worker has begun: it runs the
/// work itself where another worker would have to be called for it.
@Suite(.offPool) struct PoolHelpTests {
    @TaskLocal private static var mark = 0

    /// The result of `body`, which runs on the pool.
    private static func on<T: Sendable>(
        _ pool: WorkerPool, _ body: @escaping @Sendable () -> T
    ) -> T {
        let result = Shared<T?>(nil)
        let gate = Gate()
        pool.execute {
            result.value = body()
            gate.open()
        }
        gate.wait()
        guard let value = result.value else { fatalError("the gate opens after the store") }
        return value
    }

    /// In a process of its own: where other tests have made virtual time, it waits for work of pools,
    /// which travels in objects then.
    @Test func theWorkRunsInTheThreadThatWaits() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let pool = WorkerPool(name: "test.pool", threads: 1)
                let isOwn = Self.on(pool) {
                    let here = swivel__thread_number()
                    return (0..<100).allSatisfy { number in
                        let there = Future(on: pool) { (swivel__thread_number(), number) }.await()
                        return there == (here, number)
                    }
                }
                require(isOwn, "each ran in the thread that waited")
                require(pool.metrics.threads == 1, "no other thread was started")
            }
        }
    }

    @Test func theWorkSeesNoTaskLocalValues() {
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let seen = Self.on(pool) {
            Self.$mark.withValue(5) { (Future(on: pool) { Self.mark }.await(), Self.mark) }
        }
        #expect(seen == (0, 5))
    }

    /// A callback that waits passes its lane on: a later callback of the same future may be what it
    /// waits for.
    @Test func aCallbackThatWaitsStillPassesItsLaneOn() {
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let sums = Self.on(pool) { () -> [Int] in
            let promise = Promise<Int, Never>()
            let first = promise.future.map(on: .immediate) { value in
                value + Future(on: pool) { 10 }.await()
            }
            let second = promise.future.map(on: .immediate) { $0 + 100 }
            promise.succeed(1)
            return [first.await(), second.await()]
        }
        #expect(sums == [11, 101])
    }

    /// B3: each level lies on the stack of the one before until that is used up, and then a worker
    /// takes over.
    @Test func nestingIsNotLimitedByTheStack() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                @Sendable func nest(_ depth: Int, on pool: WorkerPool) -> Int {
                    depth == 0 ? 0 : Future(on: pool) { nest(depth - 1, on: pool) }.await() + 1
                }
                // A level takes at least some hundred bytes, and a thread has 8 MB. ThreadSanitizer has
                // room for 65,536 calls, which optimized code makes before those are used up.
                let isLimited = Machine.isThreadSanitized && !Machine.isDebug
                let depth = isLimited ? 10_000 : 50_000
                let pool = WorkerPool(name: "test.pool", threads: 1)
                require(Self.on(pool) { nest(depth, on: pool) } == depth, "each level has ended")
            }
        }
    }
}
