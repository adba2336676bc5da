// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// Waits for jobs that can never end: B5 holds for a job's future too.
@Suite(.offPool) struct JobWaitTests {
    typealias Work = Job<Int, JobFault>
    typealias Row = Job<[Int], JobFault>

    /// The labels of the queues that the job's future is known to need.
    private static func queues<V, E>(of job: Job<V, E>) -> [String] {
        job.future.contextsNeeded.map {
            let context = ($0 as? any ContextWrapper)?.wrapped ?? $0
            return (context as? DispatchQueue)?.label ?? "\(context)"
        }
    }

    @Test func aWaitForAJobOfTheSerialQueueThatWaitsTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let queue = DispatchQueue(label: "test.job")
                try queue.sync {
                    print(try Work.succeeded(3).execute(on: queue).future.await())
                }
            }
        }
        #expect(printed("await() waits forever", result))
        #expect(printed("the serial queue 'test.job'", result))
        #expect(printed("SwivelJobsTests/JobWaitTests.swift:", result))
    }

    @Test func aJobsFutureKnowsTheContextThatTheJobWaitsFor() {
        let (queue, later) = (DispatchQueue(label: "needed"), Duration.milliseconds(1))
        queue.suspend()
        let jobs: [Work] = [
            Work.succeeded(1).execute(on: queue),
            Work.succeeded(1).execute(on: AnyContext(queue)),
            Job(future: { queue.submit { () throws(JobFault) in 1 } }).execute(),
            Job(future: { Future(value: 1, after: later, on: queue) }).execute(),
            queue.delay(later).mapOutcome { _ in .success(1) }.execute(),
        ]
        for (index, job) in jobs.enumerated() {
            #expect(Self.queues(of: job).prefix(1) == ["needed"], "\(index)")
        }
        let derived: [Work] = jobs.flatMap { job in
            [
                job.map { $0 }, Work.succeeded(1).then { _ in job }, job.then(Work.succeeded(1)),
                Work.failed(JobFault()).recover(job),
                Job(future: {
                    job.map { $0 }.execute().future.mapError(on: .immediate) { _ in JobFault() }
                }),
                Row.sequential([.succeeded(1), job, .succeeded(2)]).map { $0[0] },
                Row.concurrent([.succeeded(1), job]).map { $0[0] },
            ]
        }
        for (index, job) in derived.enumerated() {
            #expect(Self.queues(of: job.execute()).prefix(1) == ["needed"], "\(index)")
        }
        queue.resume()
        #expect(eventually { (jobs + derived).allSatisfy { $0.state == .completed } })
        for job in jobs + derived { #expect(Self.queues(of: job) == []) }
    }

    /// A body that runs needs its own thread, and what else is not known.
    @Test func aBodyThatHasBegunNeedsItsContextNoMore() {
        let (queue, controls) = (DispatchQueue(label: "begun"), Shared<Work.Succeed?>(nil))
        let job = Work { succeed, _ in controls.value = succeed }
        let future = job.future
        queue.suspend()
        job.execute(on: queue)
        #expect(Self.queues(of: job) == ["begun"])
        queue.resume()
        queue.sync {}
        #expect(Self.queues(of: job) == [])
        queue.sync {
            controls.value?(1)
            #expect(future.result == .success(1))
        }
    }

    @Test func aJobThatContinuesWithItselfTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let again = Shared<Work?>(nil)
                let job = Work.succeeded(1).then { again.value ?? .succeeded($0) }
                again.value = job
                job.execute()
            }
        }
        #expect(printed("a job that is to continue with itself", result))
    }

    @Test func jobsThatContinueWithEachOtherTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let (first, hand) = (Shared<Work?>(nil), JobHand<Int, JobFault>())
                let second = hand.make().then { first.value ?? .succeeded($0) }.map { $0 }
                let whole = Work.succeeded(1).then { _ in second }
                first.value = Row.sequential([.succeeded(0), whole]).map { $0[0] }
                first.value?.execute()
                hand.succeed(1)
            }
        }
        #expect(printed("a job that is to continue with itself", result))
    }
}
