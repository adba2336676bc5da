// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Testing

@Suite struct PoolTests {
    /// Compared with an array, over several segments of the inbox.
    @Test func workComesOutInTheOrderInWhichItWentIn() throws {
        let bed = try PoolBed(width: 1, limit: 1)
        var random = SeededRandom(seed: announcedSeed("workComesOutInTheOrder"))
        var model: [Int] = []
        var next = 0
        for _ in 0..<200 {
            for _ in 0..<random.below(40) {
                _ = bed.push(next)
                model.append(next)
                next += 1
            }
            for _ in 0..<random.below(40) {
                #expect(bed.take() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(bed.count.queued == UInt64(model.count))
        }
        while let number = bed.take() { #expect(number == model.removeFirst()) }
        #expect(model.isEmpty && next > 512)
    }

    @Test func oneThreadIsOnTheWayAtATime() throws {
        let bed = try PoolBed(width: 2, limit: 4)
        #expect(bed.push(0) == .start)
        #expect(bed.push(1) == [])
        #expect(bed.push(2) == [])
        let first = PoolWorker(bed)
        #expect(first.next() == (0, .start), "it is no longer on the way, and work waits")
        let second = PoolWorker(bed)
        #expect(second.next() == (1, .monitor), "two are as many as run at once, and work waits")
        #expect(bed.push(3) == [])
        #expect(first.next() == (2, []))
        #expect(second.next() == (3, []))
        #expect(bed.count.threads == 2 && bed.count.idle == 0)
        #expect(first.next().number == nil)
        #expect(bed.count.threads == 1)
        #expect(bed.push(4) == .start)
        #expect(second.next().number == 4)
        #expect(second.next().number == nil)
        #expect(PoolWorker(bed).next().number == nil)
        #expect(bed.count.threads == 0)
    }

    @Test func aThreadThatWaitsIsReplacedAndThenOneTooMany() throws {
        let bed = try PoolBed(width: 1, limit: 2)
        #expect(bed.push(0) == .start)
        let first = PoolWorker(bed)
        #expect(first.next() == (0, []))
        #expect(bed.push(1) == .monitor, "one thread runs work, and that is all")
        #expect(first.beginWait() == .start)
        let second = PoolWorker(bed)
        #expect(second.next() == (1, []))
        #expect(bed.push(2) == [])
        #expect(bed.count.blocked == 1 && bed.count.threads == 2)
        #expect(first.endWait() == [])
        #expect(first.next() == (nil, []), "it leaves the work to the other one")
        #expect(second.next() == (2, []))
    }

    @Test func oneTooManySleepsUntilTheNextWait() async throws {
        let bed = try PoolBed(width: 1, limit: 2)
        _ = bed.push(0)
        let first = PoolWorker(bed)
        #expect(first.next() == (0, []))
        _ = bed.push(1)
        #expect(first.beginWait() == .start)
        let second = PoolWorker(bed)
        #expect(second.next() == (1, []))
        #expect(first.endWait() == [])
        // because only the other thread uses it until that has ended.
        nonisolated(unsafe) let one = first
        async let woken = offPool { one.next(idle: 60_000_000_000).number }
        while bed.count.idle == 0 && bed.count.threads == 2 { await Task.yield() }
        #expect(bed.push(2) == [], "one runs, and that is all")
        #expect(bed.count.threads == 2)
        #expect(second.beginWait() == [], "nobody has to start")
        #expect(try await woken == 2)
        #expect(second.endWait() == [])
        #expect(second.next().number == nil && first.next().number == nil)
        #expect(bed.count.threads == 0)
    }

    /// Those too many that sleep are as many as run at once at most.
    @Test func aCrowdThatIsTooManyEnds() async throws {
        let bed = try PoolBed(width: 1, limit: 4)
        var workers: [PoolWorker] = []
        for number in 0..<3 {
            _ = bed.push(number)
            if number > 0 { _ = workers[number - 1].beginWait() }
            workers.append(PoolWorker(bed))
            #expect(workers[number].next().number == number)
        }
        for number in 0..<2 { _ = workers[number].endWait() }
        #expect(bed.count.threads == 3)
        // because only the other thread uses it until that has ended.
        nonisolated(unsafe) let spare = workers[0]
        async let woken = offPool { spare.next(idle: 60_000_000_000).number }
        while bed.count.idle == 0 && bed.count.threads == 3 { await Task.yield() }
        #expect(workers[1].next(idle: 60_000_000_000).number == nil, "it does not sleep")
        #expect(bed.count.threads == 2)
        _ = bed.push(3)
        #expect(workers[2].beginWait() == [])
        #expect(try await woken == 3)
    }

    @Test func aPoolWhoseThreadsAllWaitReportsOnceAndIsWatched() throws {
        let bed = try PoolBed(width: 1, limit: 1)
        _ = bed.push(0)
        let worker = PoolWorker(bed)
        #expect(worker.next() == (0, []))
        #expect(worker.beginWait(endless: true) == .watch)
        var stuckAt: UInt64 = 0
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch, "nothing is queued")
        #expect(bed.push(1) == [.report, .monitor])
        #expect(bed.push(2) == [])
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == [.watch, .stuck])
        #expect(worker.endWait(endless: true) == [])
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == [])
        #expect(worker.beginWait() == [])
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch, "its wait has an end")
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
            #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
            _ = workers[1].endWait(endless: true)
            _ = workers[1].beginWait(endless: true)
        }
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == .watch)
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == [.watch, .stuck])
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
        #expect(PoolDuties(swivel__pool_watch(bed.pool, &stuckAt)) == [.watch, .start])
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
