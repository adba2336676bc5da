// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Testing

@Suite struct PoolTests {
    @Test func aPoolWhoseThreadsAllWaitReportsOnceAndIsWatched() throws {
        let fixture = try PoolFixture(width: 1, limit: 1)
        _ = fixture.push(0)
        let worker = PoolWorker(fixture)
        #expect(worker.next() == (0, []))
        #expect(worker.beginWait(endless: true) == .watch)
        var stuckAt: UInt64 = 0
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch)
        #expect(
            PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch, "nothing is queued")
        #expect(fixture.push(1) == [.report, .monitor])
        #expect(fixture.push(2) == [])
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch)
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == [.watch, .stuck])
        #expect(worker.endWait(endless: true) == [])
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == [])
        #expect(worker.beginWait() == [])
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch)
        // Its wait has an end.
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch)
    }

    /// A worker's wait has ended, and its closure has gone on to wait again.
    @Test func aWaitThatHasEndedIsProgress() throws {
        let fixture = try PoolFixture(width: 1, limit: 2)
        for number in 0...3 { _ = fixture.push(number) }
        let workers = [PoolWorker(fixture), PoolWorker(fixture)]
        #expect(workers[0].next().number == 0)
        _ = workers[0].beginWait(endless: true)
        #expect(workers[1].next().number == 1)
        #expect(workers[1].beginWait(endless: true).contains(.watch))
        var stuckAt: UInt64 = 0
        for _ in 0..<3 {
            #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch)
            _ = workers[1].endWait(endless: true)
            _ = workers[1].beginWait(endless: true)
        }
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == .watch)
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == [.watch, .stuck])
    }

    /// The system refuses a thread that may start later, and end the waits.
    @Test func aPoolBelowItsLimitIsNotStuck() throws {
        let fixture = try PoolFixture(width: 1, limit: 2)
        _ = fixture.push(0)
        let worker = PoolWorker(fixture)
        #expect(worker.next() == (0, []))
        _ = fixture.push(1)
        #expect(worker.beginWait(endless: true).contains(.start))
        _ = fixture.refuse()
        var stuckAt: UInt64 = 0
        for _ in 0..<4 {
            let actions = PoolActions(swivel__pool_watch(fixture.pool, &stuckAt))
            #expect(!actions.contains(.stuck))
            if actions.contains(.start) { _ = fixture.refuse() }
        }
    }

    @Test func aThreadThatIsRefusedIsAskedForAgain() throws {
        let fixture = try PoolFixture(width: 2, limit: 2)
        #expect(fixture.push(0) == .start)
        let first = PoolWorker(fixture)
        _ = fixture.push(1)
        #expect(first.next() == (0, .start))
        #expect(
            fixture.refuse() == [.first, .monitor], "the monitor asks for it again, if no push does"
        )
        #expect(fixture.count.threads == 1 && fixture.count.idle == 0)
        #expect(fixture.push(2) == .start)
        #expect(fixture.refuse() == [])
        #expect(first.beginWait() == .start)
        #expect(fixture.refuse() == [])
        var stuckAt: UInt64 = 0
        #expect(PoolActions(swivel__pool_watch(fixture.pool, &stuckAt)) == [.watch, .start])
    }

    /// By the kernel's own count: the looking ends, and nothing wakes a worker that sleeps. The one
    /// that fell asleep last is woken first.
    @Test func idleWorkersAreNotWokenAndTheLastToSleepIsTheFirst() async throws {
        try await offPool {
            let fixture = try PoolFixture(width: 2, limit: 2)
            let threads = [PoolThread(fixture), PoolThread(fixture)]
            for number in 0..<2 {
                #expect(fixture.push(number) == .start)
                threads[number].start()
                awaitUntil { fixture.count.queued == 0 }
            }
            threads.forEach { $0.fallAsleep() }
            let sleeps = threads.map { $0.sleeps }
            sleep(1)
            #expect(threads.map { $0.sleeps } == sleeps)
            for number in 2..<22 {
                #expect(fixture.push(number) == [])
                threads[1].fallAsleep()
            }
            #expect(threads.map { $0.works } == [1, 21])
            _ = (fixture.push(0), fixture.push(0))
            threads.forEach { $0.end() }
        }
    }
}
