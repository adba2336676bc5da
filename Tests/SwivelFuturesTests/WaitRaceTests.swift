// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

@Suite(.offPool) struct WaitRaceTests {
    /// Time limits of none to 63 µs, and completions as fast as threads can: many meet.
    @Test func aTimeLimitAndACompletionAgreeOnTheEndOfAWait() {
        let (batch, rounds) = (1_000, Machine.isSanitized ? 4_000 : 20_000)
        let (values, limits, broken) = (Counter(), Counter(), Counter())
        for _ in 0..<(rounds / batch) {
            let promises = (0..<batch).map { _ in Promise<Int, Never>() }
            onThreads(16) { thread in
                for (number, promise) in promises.enumerated() {
                    if thread % 2 == 0 {
                        for _ in 0..<(number % 64) { _ = LoopClock.Instant.now }
                        promise.trySucceed(number)
                        continue
                    }
                    let limit = Duration.microseconds((number &* 7 &+ thread) % 64)
                    do throws(FutureError<Never>) {
                        if try promise.future.await(timeout: limit) != number { broken.add() }
                        values.add()
                    } catch {
                        limits.add()
                    }
                    // The wait left nothing behind that a later one could meet.
                    if promise.future.await() != number { broken.add() }
                }
            }
        }
        #expect(values.value + limits.value == 8 * rounds)
        #expect(broken.value == 0)
    }

    /// A thread that sleeps and a loop that pumps wait for one future, in nested waits.
    @Test func waitsOfEveryKindEndTogether() throws {
        let loops = [try Loop(), try Loop()]
        for round in 0..<(Machine.isSanitized ? 100 : 1_000) {
            let (outer, inner) = (Promise<Int, Never>(), Promise<Int, Never>())
            let pumped = loops.map { loop in
                loop.submit { () -> Int in
                    let nested = loop.submit { inner.future.await() }
                    return outer.future.await() + nested.await()
                }
            }
            let worker = WorkerPool.shared.submit { outer.future.await() }
            let sleeper = TestThread { #expect(outer.future.await() == round) }
            inner.succeed(1)
            outer.succeed(round)
            #expect(pumped.map { $0.await() } == [round + 1, round + 1])
            #expect(worker.await() == round)
            sleeper.join()
        }
        loops.forEach { $0.shutdown() }
    }
}
