// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Threads for work that may block: B3, for Swivel's own wait.
@Suite(.offPool) struct WorkerPoolTests {
    private let probe = Probe()

    /// One thread runs its work in the order of submission.
    @Test func oneThreadKeepsTheOrder() {
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let order = Shared<[Int]>()
        let done = Gate()
        for number in 0..<5_000 {
            pool.execute(
                probe.work {
                    order.append(number)
                    done.open()
                })
        }
        done.wait(times: 5_000)
        #expect(order.value == Array(0..<5_000))
        #expect(pool.metrics.threads == 1)
        #expect(!pool.isCurrent)
    }

    /// And no more: the fifth waits.
    @Test func noMoreRunAtOnceThanThePoolIsWide() {
        let pool = WorkerPool(name: "test.pool", threads: 3)
        let running = Counter()
        let most = Shared(0)
        let done = Gate()
        for _ in 0..<300 {
            pool.execute(
                probe.work {
                    let now = running.add()
                    most.update { $0 = max($0, now) }
                    busy(for: .microseconds(20))
                    running.add(-1)
                    done.open()
                })
        }
        done.wait(times: 300)
        #expect(most.value <= 3)
        #expect(pool.metrics.threads <= 3)
    }

    /// B3: each of five hundred closures waits for one that was submitted after all of them.
    @Test func fiveHundredWaitForALaterOne() {
        let count = Machine.isSanitized ? 200 : 500
        let pool = WorkerPool(name: "test.pool", threads: 2)
        let latch = Latch()
        let done = Gate()
        for _ in 0..<count {
            pool.execute(
                probe.work {
                    if latch.wait() { done.open() }
                })
        }
        pool.execute(probe.work { latch.signal() })
        done.wait(times: count, seconds: 120)
        #expect(pool.metrics.threads <= count + 2)
    }

    /// The counters of an idle, a waiting and a busy pool.
    @Test func metricsTellTheState() {
        let pool = WorkerPool(name: "test.pool", threads: 2, maximumThreads: 2)
        #expect(pool.metrics.threads == 0 && pool.metrics.queued == 0)
        let mayEnd = Gate()
        let began = Gate()
        for _ in 0..<3 {
            pool.execute(
                probe.work {
                    began.open()
                    mayEnd.wait()
                })
        }
        began.wait(times: 2)
        #expect(pool.metrics.threads == 2 && pool.metrics.queued == 1)
        #expect(pool.metrics.idle == 0)
        #expect(eventually { pool.metrics.blocked == 2 }, "the kernel says so")
        mayEnd.open()
        began.wait(times: 3)
        #expect(eventually { pool.metrics.idle == 2 })
        #expect(pool.metrics.threads == 2 && pool.metrics.queued == 0 && pool.metrics.blocked == 0)
    }

    /// The first thread that a pool needs and does not get is a clear error, and widths below one
    /// are a mistake.
    @Test func aPoolNeedsAThread() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            _ = WorkerPool(threads: 0)
        }
        #expect(result.errors.contains("a pool needs at least one thread"))
    }
}
