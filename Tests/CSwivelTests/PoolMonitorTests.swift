// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Synchronization
import Testing

/// A pool of the core that has a monitor, and workers that block in a semaphore of their own.
private final class Crew: @unchecked Sendable {
    // because the lock guards the workers.
    let pool: OpaquePointer
    private let lock = NSLock()
    private var workers: [Worker] = []
    /// Starts threads: a worker that did would use CPU time, and not count as blocked at once.
    private let starter = DispatchQueue(label: "crew")

    init(width: UInt32, limit: UInt32, unseen: UInt32 = 256) throws {
        pool = try #require(swivel__pool_make(width, limit, unseen))
    }

    deinit { swivel__pool_free(pool) }

    /// Each work is a number, and ends when its worker is released.
    @discardableResult
    func push(_ number: Int = 0) -> Int32 {
        obey(swivel__pool_push(pool, swivel_work(function: UInt(number + 1), context: 7)))
    }

    @discardableResult
    func obey(_ actions: Int32) -> Int32 {
        if actions & Int32(SWIVEL_POOL_START) != 0 {
            let worker = Worker()
            lock.withLock { workers.append(worker) }
            starter.async { worker.start(in: self) }
        }
        return actions & ~Int32(SWIVEL_POOL_START)
    }

    /// A check of the monitor, and then: all that it has started are blocked.
    @discardableResult
    func check() -> Int32 {
        let actions = obey(swivel__pool_monitor(pool, 0))
        awaitSleep()
        return actions
    }

    /// All workers are blocked in work, or have nothing to do.
    func awaitSleep() {
        awaitUntil {
            let (count, workers) = (count, self.lock.withLock { self.workers })
            guard workers.allSatisfy(\.isBlocked), count.idle == 0 else { return false }
            let sleeps = workers.map(\.sleeps)
            usleep(2_000)
            return sleeps == workers.map(\.sleeps) && self.count == count
        }
    }

    var count: swivel_pool_count { swivel__pool_count(pool) }

    /// Has all works end, those that have not begun as well.
    func finish() {
        awaitUntil {
            let workers = self.lock.withLock { self.workers }
            workers.forEach { $0.goOn.signal() }
            usleep(1_000)
            return count.threads == 0 && workers.allSatisfy(\.hasEnded)
        }
    }

    /// Has one blocked worker go on to its next work, or end.
    func finishOne() { lock.withLock { workers[0] }.goOn.signal() }
}

private final class Worker: @unchecked Sendable {
    // because the lock guards what changes.
    let goOn = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var state = (thread: Int32(0), isInWork: false, hasEnded: false)

    var isInWork: Bool { lock.withLock { state.isInWork } }
    var hasEnded: Bool { lock.withLock { state.hasEnded } }
    var sleeps: UInt64 { swivel_process_sleeps(lock.withLock { state.thread }) }

    /// Or has ended.
    var isBlocked: Bool {
        let state = lock.withLock { self.state }
        return state.hasEnded || state.isInWork && swivel_process_is_asleep(state.thread)
    }

    func start(in crew: Crew) {
        Thread { [self] in
            lock.withLock { state.thread = swivel_process_thread() }
            let worker = UnsafeMutablePointer<swivel_worker>.allocate(capacity: 1)
            defer { worker.deallocate() }
            // The first use of what it uses, which sanitizers make dear, is no progress.
            _ = goOn.wait(timeout: .now())
            swivel__pool_join(crew.pool, worker, nil)
            // A pause of the machine counts as CPU time, so that a first check might doubt the sleep.
            worker.pointee.probe.was_asleep = true
            var work = swivel_work()
            while true {
                let actions = swivel__pool_next(crew.pool, worker, 0, &work)
                crew.obey(actions)
                guard actions & Int32(SWIVEL_POOL_RUN) != 0 else { break }
                lock.withLock { state.isInWork = true }
                goOn.wait()
                lock.withLock { state.isInWork = false }
            }
            lock.withLock { state.hasEnded = true }
        }.start()
    }
}

private func == (_ one: swivel_pool_count, _ other: swivel_pool_count) -> Bool {
    one.threads == other.threads && one.idle == other.idle && one.blocked == other.blocked
        && one.queued == other.queued
}

/// A pool's monitor: what it counts as blocked, and how many threads follow.
@Suite struct PoolMonitorTests {
    private static let monitor = Int32(SWIVEL_POOL_MONITOR)

    @Test func eachCheckAddsTwiceAsManyAsTheOneBefore() async throws {
        try await offPool {
            let crew = try Crew(width: 1, limit: 4096)
            crew.push()
            crew.awaitSleep()
            #expect(crew.push() == Self.monitor)
            for _ in 0..<40 { #expect(crew.push() == 0, "it is armed") }
            var threads: [UInt32] = []
            for _ in 0..<4 {
                #expect(crew.check() == 0)
                threads.append(crew.count.threads)
            }
            #expect(threads == [2, 4, 8, 16])
            #expect(crew.count.blocked == 8, "those that were blocked at the last check")
            crew.finish()
        }
    }

    @Test func theLimitHoldsForThoseThatAreInNoWaitOfSwivels() async throws {
        try await offPool {
            let crew = try Crew(width: 2, limit: 4096, unseen: 5)
            for _ in 0..<3 { crew.push() }
            crew.awaitSleep()
            for _ in 0..<10 { crew.push() }
            var reports = 0
            for _ in 0..<5 {
                reports += crew.check() & Int32(SWIVEL_POOL_REPORT) != 0 ? 1 : 0
            }
            #expect(crew.count.threads == 5 && crew.count.blocked == 5 && crew.count.queued == 8)
            #expect(reports == 1)
            crew.finish()
        }
    }

    /// A worker that goes on takes its own next work, and the one that has replaced it is too many.
    @Test func oneThatGoesOnIsBlockedNoLonger() async throws {
        try await offPool {
            let crew = try Crew(width: 1, limit: 4096)
            crew.push(0)
            crew.awaitSleep()
            crew.push(1)
            crew.check()
            #expect(crew.count.threads == 2 && crew.count.blocked == 1 && crew.count.queued == 0)
            crew.finishOne()
            awaitUntil { crew.count.threads == 1 }
            #expect(crew.count.blocked == 0, "nothing was queued, so nothing was checked")
            crew.finish()
        }
    }

    /// Where closures block for less than a period, the next one is likely to block as well.
    @Test func oneThatWasBlockedForShortGoesOnAndOneThatWasForLongIsTooMany() async throws {
        try await offPool {
            let crew = try Crew(width: 1, limit: 4096)
            crew.push()
            crew.awaitSleep()
            for _ in 0..<10 { crew.push() }
            crew.check()
            #expect(crew.count.threads == 2 && crew.count.queued == 9)
            crew.finishOne()
            awaitUntil { crew.count.queued == 8 }
            crew.awaitSleep()
            #expect(crew.count.threads == 2, "it has gone on to the next work")
            crew.check()
            crew.check()
            #expect(crew.count.threads == 8 && crew.count.queued == 2)
            crew.finishOne()
            awaitUntil { crew.count.threads == 7 }
            #expect(crew.count.queued == 2, "it has taken none")
            crew.finish()
        }
    }

    /// S5: the monitor is disarmed as soon as nothing is queued, and then sleeps until the next time.
    @Test func onlyWorkThatWaitsIsCheckedFor() throws {
        let pool = try #require(swivel__pool_make(1, 8, 8))
        defer { swivel__pool_free(pool) }
        let worker = UnsafeMutablePointer<swivel_worker>.allocate(capacity: 1)
        defer { worker.deallocate() }
        var work = swivel_work()
        let push = { swivel__pool_push(pool, swivel_work(function: 1, context: 7)) }
        #expect(push() == Int32(SWIVEL_POOL_START))
        swivel__pool_join(pool, worker, nil)
        #expect(swivel__pool_next(pool, worker, 0, &work) == Int32(SWIVEL_POOL_RUN))
        #expect(push() == Self.monitor && push() == 0)
        // The worker is this thread, which runs.
        #expect(swivel__pool_monitor(pool, 0) == 0 && swivel__pool_monitor(pool, 0) == 0)
        #expect(swivel__pool_count(pool).blocked == 0 && swivel__pool_count(pool).threads == 1)
        for _ in 0..<2 {
            #expect(swivel__pool_next(pool, worker, 0, &work) == Int32(SWIVEL_POOL_RUN))
        }
        #expect(swivel__pool_monitor(pool, 0) == 0, "it is disarmed")
        #expect(push() == 0, "which wakes it")
        #expect(swivel__pool_next(pool, worker, 0, &work) == Int32(SWIVEL_POOL_RUN))
        #expect(swivel__pool_monitor(pool, 0) == 0, "it is disarmed again")
        #expect(swivel__pool_monitor(pool, 1_000) == Int32(SWIVEL_POOL_END))
        #expect(push() == Self.monitor, "another one starts")
        #expect(swivel__pool_next(pool, worker, 0, &work) == Int32(SWIVEL_POOL_RUN))
        #expect(swivel__pool_next(pool, worker, 0, &work) == 0, "it ends")
    }

    /// Without a thread for the monitor the next push asks for one again.
    @Test func aRefusedMonitorIsAskedForAgain() throws {
        let pool = try #require(swivel__pool_make(1, 8, 8))
        defer { swivel__pool_free(pool) }
        let worker = UnsafeMutablePointer<swivel_worker>.allocate(capacity: 1)
        defer { worker.deallocate() }
        var work = swivel_work()
        let push = { swivel__pool_push(pool, swivel_work(function: 1, context: 7)) }
        _ = push()
        swivel__pool_join(pool, worker, nil)
        _ = swivel__pool_next(pool, worker, 0, &work)
        #expect(push() == Self.monitor)
        swivel__pool_monitor_refused(pool)
        #expect(push() == Self.monitor)
        for _ in 0..<3 { _ = swivel__pool_next(pool, worker, 0, &work) }
    }
}
