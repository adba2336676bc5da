// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// B3 to the end: how many threads nested waits cost, and what becomes of a pool that has no more.
@Suite(.offPool) struct WorkerPoolLimitTests {
    private let probe = Probe()

    /// Two thousand nested waits: at the innermost all the others wait, each on a thread of its own;
    /// when all have ended, two threads are left.
    @Test func twoThousandNestedWaitsCostAThreadEach() {
        let depth = Machine.isSanitized ? 200 : 2_000
        let pool = WorkerPool(name: "test.pool", threads: 2)
        let (innermost, goOn, ended) = (Gate(), Gate(), Latch())
        nest(pool, depth, ended) {
            innermost.open()
            goOn.wait()
        }
        innermost.wait()
        // The innermost one waits as well, which the pool may have seen.
        #expect(eventually { pool.metrics.blocked >= depth })
        let during = pool.metrics
        #expect(during.threads > depth && during.threads <= depth + 2)
        goOn.open()
        #expect(ended.wait(until: .now.advanced(by: .seconds(120))))
        #expect(eventually { pool.metrics.threads <= 2 && pool.metrics.blocked == 0 })
        print(
            "\(depth) nested waits: \(during.threads) threads during, \(pool.metrics.threads) after"
        )
        #expect(probe.ran == depth + 1)
    }

    private func nest(
        _ pool: WorkerPool, _ depth: Int, _ ended: Latch,
        _ innermost: @escaping @Sendable () -> Void
    ) {
        pool.execute(
            probe.work {
                if depth > 0 {
                    let inner = Latch()
                    self.nest(pool, depth - 1, inner, innermost)
                    _ = inner.wait()
                } else {
                    innermost()
                }
                ended.signal()
            })
    }

    /// Where every thread waits for work that is queued behind them, the pool says so and stops.
    @Test func aPoolThatCanNeverGoOnTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            alarm(30)
            let pool = WorkerPool(
                name: "test.stuck", threads: 2, maximumThreads: 8, patience: .milliseconds(50))
            let last = Latch()
            for _ in 0..<8 {
                pool.execute { _ = last.wait() }
            }
            pool.execute { last.signal() }
            _ = last.wait()
        }
        #expect(
            result.errors.contains("all 8 threads of the pool 'test.stuck' wait without a time"))
        #expect(result.errors.contains("higher maximumThreads"))
    }

    /// Waits with a time limit end, so that the pool goes on; and so it does when others end them.
    @Test func aPoolThatCanGoOnGoesOn() {
        let pool = WorkerPool(
            name: "test.pool", threads: 1, maximumThreads: 4, patience: .microseconds(100))
        let done = Gate()
        for _ in 0..<40 {
            pool.execute(
                probe.work {
                    _ = Latch().wait(until: .now.advanced(by: .milliseconds(2)))
                    done.open()
                })
        }
        done.wait(times: 40)
        // All four wait, with nothing queued, for much longer than the pool's patience.
        let latch = Latch()
        for _ in 0..<4 {
            pool.execute(
                probe.work {
                    _ = latch.wait()
                    done.open()
                })
        }
        #expect(eventually { pool.metrics.blocked == 4 })
        _ = Latch().wait(until: .now.advanced(by: .milliseconds(20)))
        latch.signal()
        done.wait(times: 44)
    }
}
