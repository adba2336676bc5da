// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// F5: closures that block in code that Swivel cannot see do not stop others.
@Suite(.offPool) struct WorkerPoolBlockingTests {
    private let probe = Probe()

    enum Way: CaseIterable, Sendable { case condition, read, poll, lock, naps }

    /// Each worker blocks until a closure runs that is queued behind all of them.
    @Test(arguments: Way.allCases) func workBehindBlockedClosuresRuns(_ way: Way) {
        let pool = WorkerPool(
            name: "test.pool", threads: 2, maximumThreads: 64, patience: .seconds(10),
            idleLimit: .milliseconds(50))
        let obstacle = Obstacle(way)
        let done = Gate()
        for _ in 0..<5 {
            pool.execute(
                probe.work {
                    obstacle.pass()
                    done.open()
                })
        }
        pool.execute(
            probe.work {
                obstacle.clear()
                done.open()
            })
        guard done.isOpened(times: 6, seconds: 20) else {
            obstacle.clear()
            Issue.record("the closure that ends the waits has not run")
            done.wait(times: 6)
            return
        }
        #expect(eventually { pool.metrics.blocked == 0 && pool.metrics.threads == 0 })
    }

    /// A blocked closure may be in the way of one that has taken the loop which all contexts share.
    @Test func aBlockedSharedLoopIsNotNeeded() async {
        await #expect(processExitsWith: .success) {
            exitTest(endAfter: 30) {
                let (began, mayEnd, done) = (Gate(), Gate(), Gate())
                Loop.shared.execute {
                    began.open()
                    mayEnd.wait()
                }
                began.wait()
                for _ in 0..<Machine.processors {
                    WorkerPool.background.execute {
                        mayEnd.wait()
                        done.open()
                    }
                }
                WorkerPool.background.execute { mayEnd.open() }
                done.wait(times: Machine.processors)
            }
        }
    }

    #if os(Linux)
    /// A pool of before the fork is dead in the child; a new one knows blocked closures as well.
    @Test func aPoolOfAChildRunsWorkBehindBlockedClosures() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let before = WorkerPool(name: "test.pool", threads: 1)
                Self.block(before)
                let code = exitCode { Self.block(WorkerPool(name: "test.child", threads: 1)) }
                require(code == 0, "the child ended with \(code)")
            }
        }
    }

    private static func block(_ pool: WorkerPool) {
        let (mayEnd, done) = (Gate(), Gate())
        pool.execute {
            mayEnd.wait()
            done.open()
        }
        pool.execute { mayEnd.open() }
        require(done.isOpened(seconds: 10), "the second closure has run")
    }
    #endif
}

/// Something to wait for, in one of several ways, until somebody clears it.
private final class Obstacle: @unchecked Sendable {
    // because the descriptors and the lock's address do not change.
    private let way: WorkerPoolBlockingTests.Way
    private let gate = Gate()
    private var ends: [Int32] = [0, 0]
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ way: WorkerPoolBlockingTests.Way) {
        self.way = way
        if pipe(&ends) != 0 { fatalError("no pipe") }
        pthread_mutex_init(lock, nil)
    }

    deinit {
        ends.forEach { _ = close($0) }
        lock.deallocate()
    }

    func pass() {
        switch way {
        case .condition: gate.wait()
        case .read:
            var byte: UInt8 = 0
            if read(ends[0], &byte, 1) != 1 { fatalError("no byte") }
        case .poll:
            var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, -1) < 1 {}
        case .lock:
            // The first one holds it, and waits; the others wait for the lock.
            pthread_mutex_lock(lock)
            gate.wait()
            pthread_mutex_unlock(lock)
        case .naps:
            while gate.opened == 0 { usleep(2_000) }
        }
    }

    func clear() {
        gate.open()
        let bytes = [UInt8](repeating: 0, count: 5)
        _ = write(ends[1], bytes, bytes.count)
    }
}
