// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// F5: how many threads blocked closures cost, and what a pool reports that has no more.
@Suite(.offPool) struct WorkerPoolMonitorTests {
    private let probe = Probe()

    /// With a busy process next to it, so that its threads are preempted all the time.
    @Test func aPoolThatComputesKeepsItsThreads() {
        let pool = WorkerPool(name: "test.pool", threads: 2)
        let isOver = Gate()
        let load = (0..<4).map { _ in
            TestThread { while isOver.opened == 0 { busy(for: .microseconds(100)) } }
        }
        let ran = Counter()
        for _ in 0..<40 {
            pool.execute(
                probe.work {
                    busy(for: .milliseconds(20))
                    ran.add()
                })
        }
        var most = 0
        let isDone = eventually(seconds: 60) {
            most = max(most, pool.metrics.threads)
            return ran.value == 40
        }
        isOver.open()
        load.forEach { $0.join() }
        #expect(isDone && most == 2)
    }

    /// The limit holds, what is queued runs when one comes free, and the report names what they run.
    @Test func theLimitHoldsAndTheReportNamesTheClosures() async throws {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            exitTest {
                let pool = WorkerPool(name: "test.full", threads: 1, blockingLimit: 4)
                let (mayEnd, done) = (Gate(), Gate())
                let began = Gate()
                let timers = (0..<2).map { _ in
                    pool.schedule(after: .milliseconds(1), label: "resize") {
                        began.open()
                        mayEnd.wait()
                        done.open()
                    }
                }
                began.wait(times: 2)
                for _ in 0..<4 {
                    pool.execute {
                        mayEnd.wait()
                        done.open()
                    }
                }
                require(
                    eventually { pool.metrics.blocked == 4 && pool.metrics.queued == 2 },
                    "four of six are blocked: \(pool.metrics)")
                usleep(500_000)
                require(pool.metrics.threads == 4, "and no more are: \(pool.metrics)")
                mayEnd.open()
                done.wait(times: 6)
                _ = timers
            }
        }
        #expect(
            result.errors.contains("all 4 threads of the pool 'test.full' wait; work")
                == Machine.isDebug)
        #expect(result.errors.contains("\"resize\" (2)") == Machine.isDebug)
        #expect(result.errors.contains("+0x") == Machine.isDebug, "the other closures' site")
    }

    /// A worker that is blocked in other code could end the waits of those that are in Swivel's.
    @Test func aPoolWithOneBlockedElsewhereIsNotStuck() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let pool = WorkerPool(
                    name: "test.pool", threads: 1, maximumThreads: 3, patience: .milliseconds(20))
                let (latch, mayEnd, done) = (Latch(), Gate(), Gate())
                pool.execute {
                    mayEnd.wait()
                    latch.signal()
                    done.open()
                }
                for _ in 0..<2 {
                    pool.execute {
                        _ = latch.wait()
                        done.open()
                    }
                }
                require(eventually { pool.metrics.blocked == 3 }, "all are blocked")
                pool.execute { done.open() }
                usleep(300_000)
                mayEnd.open()
                done.wait(times: 4)
            }
        }
    }

    /// A message about a pool that is stuck names the labels and call sites of its closures.
    @Test func theTrapOfAStuckPoolNamesItsClosures() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let pool = WorkerPool(
                    name: "test.stuck", threads: 1, maximumThreads: 2, patience: .milliseconds(20))
                let last = Latch()
                pool.schedule(after: .zero, label: "wait for the end") { _ = last.wait() }
                require(eventually { pool.metrics.blocked == 1 }, "the timer's closure waits")
                pool.each(0..<2) { _ in _ = last.wait() }
            }
        }
        #expect(result.errors.contains("\"wait for the end\""))
        #expect(result.errors.contains("WorkerPoolMonitorTests.swift:"))
    }

    #if os(Linux)
    /// S5: a pool whose closures are blocked, or that has none, wakes no thread when nothing is queued.
    @Test func aPoolWithoutWaitingWorkDoesNotCheck() {
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let (mayEnd, done) = (Gate(), Gate())
        for _ in 0..<2 {
            pool.execute(
                probe.work {
                    mayEnd.wait()
                    done.open()
                })
        }
        #expect(eventually { pool.metrics.blocked == 2 || pool.metrics.queued == 0 })
        usleep(100_000)
        let before = Self.sleeps("swivel.monitor")
        usleep(300_000)
        #expect(Self.sleeps("swivel.monitor") == before)
        mayEnd.open()
        done.wait(times: 2)
    }

    /// How often the threads of this name went to sleep by themselves.
    private static func sleeps(_ name: String) -> [String: Int] {
        var sleeps: [String: Int] = [:]
        for thread in Machine.threadNumbers() {
            let path = "/proc/self/task/\(thread)/status"
            if Machine.line("Name", of: path) == name {
                sleeps[thread] = Machine.status("voluntary_ctxt_switches", of: path)
            }
        }
        return sleeps
    }
    #endif
}
