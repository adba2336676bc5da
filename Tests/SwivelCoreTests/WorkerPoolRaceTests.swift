// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// No work is lost on threads that look, fall asleep, wait or end.
@Suite(.offPool) struct WorkerPoolRaceTests {
    private let probe = Probe()
    private static let rounds = Machine.isSanitized ? 2_000 : 50_000

    /// Each push comes at another instant after the work before it: while its thread looks, while it
    /// falls asleep, or when it sleeps.
    @Test(arguments: [1, 2]) func aPushMeetsAThreadThatFallsAsleep(threads: Int) {
        let pool = WorkerPool(name: "test.pool", threads: threads)
        meet(pool, rounds: Self.rounds, upTo: 300)
        #expect(pool.metrics.threads <= threads)
    }

    /// Each push comes about when the thread ends, because it has been idle for long enough.
    @Test(arguments: [0, 5, 50]) func aPushMeetsAThreadThatEnds(microseconds: Int) {
        let pool = WorkerPool(
            name: "test.ends", threads: 2, maximumThreads: 8, patience: .seconds(10),
            idleLimit: .microseconds(microseconds))
        meet(pool, rounds: Self.rounds / 10, upTo: 4_000)
        #expect(eventually { pool.metrics.threads == 0 })
    }

    /// Pushes work, waits until it ran, and lets at most `limit` looks at a number go by.
    private func meet(_ pool: WorkerPool, rounds: Int, upTo limit: Int) {
        var random = Seeded()
        let (ran, pause) = (Gate(), Counter())
        for round in 1...rounds {
            pool.execute { ran.open() }
            guard ran.wait(times: round) else { break }
            for _ in 0..<random.below(limit) where pause.value != 0 { break }
        }
        #expect(ran.opened == rounds)
    }

    /// Eight threads submit work of which every fourth waits for the one behind it, so that threads
    /// of the pool wait, are replaced, and are too many again.
    @Test(arguments: [2, 64]) func workersWaitAndAreReplacedMeanwhile(producers: Int) {
        let pool = WorkerPool(name: "test.pool", threads: 2)
        let count = Machine.scaled(16_000, by: 20) / producers
        let done = Gate()
        onThreads(producers) { [probe] _ in
            for number in 0..<count {
                guard number % 4 == 0 else {
                    pool.execute(probe.work { done.open() })
                    continue
                }
                let latch = Latch()
                pool.execute(
                    probe.work {
                        if latch.wait() { done.open() }
                    })
                pool.execute(probe.work { latch.signal() })
            }
        }
        done.wait(times: count * producers, seconds: 120)
        #expect(eventually { pool.metrics.blocked == 0 })
        #expect(pool.metrics.queued == 0)
        probe.waitForReleases(probe.made)
    }
}
