// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Testing

@Suite struct PoolTests {
    @Test func aPoolWhoseThreadsAllWaitReportsOnceAndIsWatched() throws {
        let bed = try PoolBed(width: 1, limit: 1)
        _ = bed.push(0)
        let worker = PoolWorker(bed)
        #expect(worker.next() == (0, []))
        #expect(worker.beginWait(endless: true) == .watch)
        var stuckAt: UInt64 = 0
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch, "nothing is queued")
        #expect(bed.push(1) == [.report, .monitor])
        #expect(bed.push(2) == [])
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == [.watch, .stuck])
        #expect(worker.endWait(endless: true) == [])
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == [])
        #expect(worker.beginWait() == [])
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        // Its wait has an end.
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
    }

    /// A worker's wait has ended, and its closure has gone on to wait again.
    @Test func aWaitThatHasEndedIsProgress() throws {
        let bed = try PoolBed(width: 1, limit: 2)
        for number in 0...3 { _ = bed.push(number) }
        let workers = [PoolWorker(bed), PoolWorker(bed)]
        #expect(workers[0].next().number == 0)
        _ = workers[0].beginWait(endless: true)
        #expect(workers[1].next().number == 1)
        #expect(workers[1].beginWait(endless: true).contains(.watch))
        var stuckAt: UInt64 = 0
        for _ in 0..<3 {
            #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
            _ = workers[1].endWait(endless: true)
            _ = workers[1].beginWait(endless: true)
        }
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == [.watch, .stuck])
    }

    @Test func aThreadThatIsRefusedIsAskedForAgain() throws {
        let bed = try PoolBed(width: 2, limit: 2)
        #expect(bed.push(0) == .start)
        let first = PoolWorker(bed)
        _ = bed.push(1)
        #expect(first.next() == (0, .start))
        #expect(
            bed.refuse() == [.first, .monitor], "the monitor asks for it again, if no push does")
        #expect(bed.count.threads == 1 && bed.count.idle == 0)
        #expect(bed.push(2) == .start)
        #expect(bed.refuse() == [])
        #expect(first.beginWait() == .start)
        #expect(bed.refuse() == [])
        var stuckAt: UInt64 = 0
        #expect(PoolActions(swivel__pool_watch(bed.pool, &stuckAt)) == [.watch, .start])
    }

    /// By the kernel's own count: the looking ends, and nothing wakes a worker that sleeps. The one
    /// that fell asleep last is woken first.
    @Test func idleWorkersAreNotWokenAndTheLastToSleepIsTheFirst() async throws {
        try await offPool {
            let bed = try PoolBed(width: 2, limit: 2)
            let threads = [PoolThread(bed), PoolThread(bed)]
            for number in 0..<2 {
                #expect(bed.push(number) == .start)
                threads[number].start()
                awaitUntil { bed.count.queued == 0 }
            }
            threads.forEach { $0.fallAsleep() }
            let sleeps = threads.map { $0.sleeps }
            sleep(1)
            #expect(threads.map { $0.sleeps } == sleeps)
            for number in 2..<22 {
                #expect(bed.push(number) == [])
                threads[1].fallAsleep()
            }
            #expect(threads.map { $0.works } == [1, 21])
            _ = (bed.push(0), bed.push(0))
            threads.forEach { $0.end() }
        }
    }
}
