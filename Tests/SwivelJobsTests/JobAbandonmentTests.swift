// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// P5: a job whose body releases both of its functions can no longer end by itself, even while it is held.
@Suite struct JobAbandonmentTests {
    typealias Work = Job<Int, JobFault>
    typealias Functions = (succeed: Work.Succeed, fail: Work.Fail)

    /// A job whose body keeps its functions in `functions`, until that is emptied.
    private func keeping(_ functions: Shared<Functions?>) -> Work {
        Work { succeed, fail in functions.value = (succeed, fail) }
    }

    @Test func aBodyThatDropsBothFunctionsAbandonsTheJobThatOthersHold() {
        let job = Work { _, _ in }
        let future = job.future
        job.execute()
        #expect(future.result == .failure(.abandoned))
        #expect(job.state == .cancelled)
        withExtendedLifetime(job) {}
    }

    @Test func functionsThatAreDroppedOnAnotherThreadAbandonTheJob() {
        let functions = Shared<Functions?>(nil)
        let job = keeping(functions).execute()
        let future = job.future
        TestThread { functions.value = nil }.join()
        #expect(future.result == .failure(.abandoned))
    }

    @Test func afterAnEndOrACancelNothingIsAbandoned() {
        let notes = Shared<[String]>()
        let functions = Shared<Functions?>(nil)
        let (ended, cancelled) = (keeping(functions).log(to: notes), keeping(functions))
        ended.execute()
        functions.value?.fail(JobFault(code: 1))
        cancelled.log(to: notes).execute()
        cancelled.cancel()
        functions.value = nil
        #expect(ended.future.result == .failure(.failed(JobFault(code: 1))))
        #expect(cancelled.future.result == .failure(.cancelled))
        #expect(notes.value == ["failure 1", "cancel"])
    }

    @Test func anAbandonedPartEndsTheWholeTheSameWay() {
        for index in 0..<6 {
            let functions = Shared<Functions?>(nil)
            let hand = JobHand<Int, JobFault>()
            let (sibling, spare) = (hand.make(), Work.succeeded(1))
            let part = keeping(functions)
            let wholes: [Work] = [
                part.then(spare), part.recover(spare), part.chain { _ in spare }, part.map { $0 },
                Job.sequential([part, spare]).map { $0.count },
                Job.concurrent([part, sibling]).map { $0.count },
            ]
            let (whole, notes) = (wholes[index], Shared<[String]>())
            let future = whole.log(to: notes).future
            whole.execute()
            #expect(whole.state == .executing)
            functions.value = nil
            #expect(future.result == .failure(.abandoned), "\(index)")
            #expect(notes.value == ["cancel"], "\(index)")
            #expect(spare.state == .notExecuted)
            #expect(sibling.state == (index == 5 ? .cancelled : .notExecuted))
            withExtendedLifetime(hand) {}
        }
    }

    @Test(.timeLimit(.minutes(1))) func whoWaitsForTheValueIsTold() async {
        let job = Work { _, _ in }
        await #expect(throws: FutureError<JobFault>.abandoned) { try await job.value }
        await #expect(throws: FutureError<JobFault>.abandoned) { try await job.value }
        let other = Job<Int, any Error> { _, _ in }
        await #expect { try await other.value } throws: { error in
            if case FutureError<any Error>.abandoned = error { true } else { false }
        }
    }

    @Test func aJobOfAFutureThatNobodyCompletesIsAbandoned() {
        let promise = Shared<Promise<Int, any Error>?>(Promise())
        let future = promise.value?.future
        let never = Job<Int, JobFault>(future: { Future() }).execute()
        #expect(never.future.result == .failure(.abandoned))
        let job = Job<Int, any Error>(future: { future ?? Future() }).execute()
        #expect(job.state == .executing)
        promise.value = nil
        #expect(job.state == .completed)
    }

    @Test func aDelayOnALoopThatIsShutDownIsCancelledAndNotAbandoned() throws {
        let loop = try manualLoop()
        let delay = loop.delay(.seconds(1))
        let job: Job<Int, Never> = delay.map { 1 }
        job.execute()
        loop.runDue()
        loop.shutdown()
        #expect(job.future.result == .failure(.cancelled))
    }

    @Test func endingAndDroppingFromSeveralThreadsHaveOneOutcome() {
        let games = (0..<Machine.scaled(2000, by: 4)).map { _ in
            let (functions, ends) = (Shared<Functions?>(nil), Counter())
            let job = keeping(functions)
            job.onComplete { _ in ends.add() }.onCancel { ends.add() }.execute()
            return (job, functions, ends)
        }
        onThreads(3) { number in
            for (index, (job, functions, _)) in games.enumerated() {
                switch number {
                case 0: functions.value?.succeed(1)
                case 1: functions.value = nil
                default: if index % 2 == 1 { job.cancel() }
                }
            }
        }
        for (job, _, ends) in games {
            #expect(ends.value == 1)
            #expect(job.state == .completed || job.state == .cancelled)
        }
    }
}
