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

    /// Threads, a worker and another loop wait for a loop again and again, until it is shut down: each
    /// wait ends, with its value or with the shutdown.
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(60))])
    func aShutdownEndsWaitsOfEveryKind(mode: ShutdownMode) throws {
        let other = try threadedLoop("test.other")
        var random = Seeded()
        for _ in 0..<Machine.scaled(1_000) {
            let loop = try threadedLoop()
            let (served, broken) = (Counter(), Counter())
            let serve: @Sendable () -> Void = {
                for number in 0... {
                    do {
                        let reply = try loop.submit { () throws -> Int in number }.await()
                        if reply != number { broken.add() }
                        served.add()
                    } catch {
                        if (error as? SwivelError)?.code != .shutdown { broken.add() }
                        return
                    }
                }
            }
            let pumped = other.submit(serve)
            let worker = WorkerPool.shared.submit(serve)
            let threads = (0..<3).map { _ in TestThread { serve() } }
            let enough = random.below(40)
            #expect(eventually(seconds: 60) { served.value >= enough })
            #expect(loop.shutdown(mode).isComplete)
            threads.forEach { $0.join() }
            pumped.await()
            worker.await()
            guard broken.value == 0 else {
                Issue.record("\(broken.value) waits of \(served.value) ended in another way")
                break
            }
        }
        other.shutdown()
    }
}
