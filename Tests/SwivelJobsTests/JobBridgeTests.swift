// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

@Suite struct JobBridgeTests {
    typealias Work = Job<Int, JobFault>

    @Test func aFuturesJobComesAfterTheFuturesEarlierCallbacks() {
        let (promise, notes) = (Promise<Int, JobFault>(), Shared<[Int]>())
        promise.future.onComplete(on: .immediate) { _ in notes.append(1) }
        let job = Job(future: { promise.future })
        job.onSuccess { _ in notes.append(2) }
        job.execute()
        promise.succeed(0)
        #expect(notes.value == [1, 2])
    }

    @Test func aJobThatIsDroppedUnexecutedAbandonsItsFuture() async {
        let forgotten = Work.succeeded(1).future
        #expect(forgotten.result == .failure(.abandoned))
        let updates = Work.succeeded(1).mapProgress { $0 }.progressUpdates
        for await _ in updates { Issue.record("a job that was never executed reported") }
    }

    @Test func theValueExecutesTheJob() async throws {
        let hand = JobHand<Int, JobFault>()
        let job = Work { succeed, _ in DispatchQueue.global().async { succeed(5) } }
        #expect(try await job.value == 5)
        #expect(try await job.value == 5)
        await #expect(throws: JobFault(code: 1)) {
            try await Work.failed(JobFault(code: 1)).value
        }
        let shared = hand.make().execute()
        async let value = shared.value
        hand.succeed(6)
        #expect(try await value == 6)
        #expect(hand.executions == 1)
    }

    @Test func cancellingTheTaskCancelsTheJob() async {
        let hand = JobHand<Int, JobFault>()
        let job = hand.make()
        let (started, starts) = AsyncStream.makeStream(of: Void.self)
        let whole = Work.succeeded(1).then { _ in
            starts.yield()
            return job
        }
        let task = Task { try await whole.value }
        for await _ in started.prefix(1) {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(whole.state == .cancelled)
        #expect(job.state != .completed)
    }

    @Test func progressUpdatesGiveTheLatestAndEndWithTheJob() async {
        let hand = JobHand<Int, JobFault>()
        let job = hand.make()
        let updates = job.progressUpdates
        job.execute()
        hand.report(0.25)
        hand.report(0.5)
        var iterator = updates.makeAsyncIterator()
        #expect(await iterator.next()?.fraction == 0.5)
        hand.report(0.75)
        hand.succeed(1)
        #expect(await iterator.next()?.fraction == 0.75)
        #expect(await iterator.next() == nil)
        for await _ in job.progressUpdates { Issue.record("a finished job reported") }
        let cancelled = Work.succeeded(1)
        let none = cancelled.progressUpdates
        cancelled.cancel()
        for await _ in none { Issue.record("a cancelled job reported") }
    }

    @Test func aFutureBecomesAJob() {
        let promise = Promise<Int, JobFault>()
        let asked = Shared(0)
        let job = Job(future: {
            asked.update { $0 += 1 }
            return promise.future
        })
        #expect(asked.value == 0)
        job.execute()
        #expect(asked.value == 1)
        promise.succeed(3)
        #expect(job.future.result == .success(3))
    }

    @Test func anAsyncFunctionBecomesAJobThatIsCancelledWithItsTask() async throws {
        let job = Job(async: { () async throws -> Int in 7 })
        #expect(try await job.value == 7)
        let failing = Job(async: { () async throws -> Int in throw JobFault(code: 8) })
        await #expect(throws: JobFault(code: 8)) { try await failing.value }
        let (ended, ends) = AsyncStream.makeStream(of: Bool.self)
        let (started, starts) = AsyncStream.makeStream(of: Void.self)
        let endless = Job(async: { () async throws -> Int in
            starts.yield()
            while !Task.isCancelled { await Task.yield() }
            ends.yield(true)
            return 0
        })
        endless.execute()
        for await _ in started.prefix(1) {}
        endless.cancel()
        for await isCancelled in ended.prefix(1) { #expect(isCancelled) }
        #expect(endless.state == .cancelled)
    }
}
