// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// A single job, alone.
@Suite struct JobTests {
    typealias Work = Job<Int, JobFault>

    @Test func nothingRunsBeforeExecute() {
        let hand = JobHand<Int, JobFault>()
        let job = hand.make().onSuccess { _ in }
        #expect(job.state == .notExecuted)
        #expect(hand.executions == 0)
        job.execute()
        #expect(hand.executions == 1)
        #expect(job.state == .executing)
    }

    @Test func theBodyRunsOnTheCallingThreadInsideExecute() {
        let notes = Shared<[String]>()
        let job = Work { succeed, _ in
            notes.append("body")
            succeed(1)
            notes.append("rest of the body")
        }
        job.onSuccess { notes.append("success \($0)") }
        job.execute()
        notes.append("executed")
        #expect(notes.value == ["body", "success 1", "rest of the body", "executed"])
    }

    @Test func theThreeFormsOfBodiesAreToldApartByTheirArguments() {
        let notes = Shared<[String]>()
        Work { succeed, _ in succeed(2) }.log(to: notes).execute()
        Work { _, fail, progress in
            progress(JobProgress(0.5))
            fail(JobFault(code: 3))
        }.log(to: notes).execute()
        Work { task, succeed, _, progress in
            progress(JobProgress(0.25))
            if !task.isCancelled { succeed(4) }
        }.log(to: notes).execute()
        #expect(notes.value == ["success 2", "0.5", "failure 3", "0.25", "success 4"])
    }

    @Test func succeededAndFailedEndAsSoonAsTheyAreExecuted() {
        let notes = Shared<[String]>()
        let good = Work.succeeded(1).log(to: notes)
        let bad = Work.failed(JobFault(code: 2)).log(to: notes)
        #expect(good.state == .notExecuted && bad.state == .notExecuted)
        good.execute()
        bad.execute()
        #expect(good.state == .completed && bad.state == .completed)
        #expect(notes.value == ["success 1", "failure 2"])
    }

    @Test func executedTwiceItRunsOnce() {
        let hand = JobHand<Int, JobFault>()
        let job = hand.make().execute().execute()
        hand.succeed(1)
        job.execute()
        #expect(hand.executions == 1)
        #expect(job.state == .completed)
    }

    @Test func theFirstEndCounts() {
        let notes = Shared<[String]>()
        Work { succeed, fail in
            succeed(1)
            succeed(2)
            fail(JobFault())
        }.log(to: notes).execute()
        #expect(notes.value == ["success 1"])
    }

    @Test func handlersRegisteredLateStillHearTheResult() {
        let notes = Shared<[String]>()
        let job = Work.succeeded(1).execute()
        job.log(to: notes)
        job.onComplete { _ in notes.append("completed") }
        #expect(notes.value == ["success 1", "completed"])
        let queue = QueueContext()
        job.onSuccess(on: queue) { notes.append("queue \($0)") }
        #expect(notes.value.count == 2)
        queue.runAll()
        #expect(notes.value.last == "queue 1")
        let cancelled = Work.succeeded(1)
        cancelled.cancel()
        cancelled.log(to: notes, as: "late ")
        #expect(notes.value.last == "late cancel")
    }

    @Test func progressCarriesUserData() {
        let phases = Shared<[String]>()
        Work { succeed, _, progress in
            progress(JobProgress(0.5, userInfo: "unpacking"))
            succeed(1)
        }
        .onProgress { phases.append($0.userInfo as? String ?? "") }
        .execute()
        #expect(phases.value == ["unpacking"])
    }

    @Test func weightsAreOneUnlessSet() {
        let job = Work.succeeded(1)
        #expect(job.weight == 1)
        #expect(job.setWeight(3) === job)
        #expect(job.weight == 3)
        job.weight = 0
        #expect(job.weight == 0)
    }

    @Test func executeOnAContextRunsTheBodyThere() throws {
        let loop = try Loop.manual()
        let notes = Shared<[String]>()
        let job = Work { succeed, _ in
            notes.append("\(loop.isCurrent)")
            succeed(1)
        }.execute(on: loop)
        #expect(job.state == .executing)
        #expect(notes.value.isEmpty)
        loop.advance(by: .zero)
        #expect(notes.value == ["true"])
        #expect(job.state == .completed)
        loop.shutdown()
    }

    @Test func cancelledBeforeItStartsOnItsContextItNeverRuns() {
        let (queue, hand, notes) = (QueueContext(), JobHand<Int, JobFault>(), Shared<[String]>())
        let job = hand.make().log(to: notes).execute(on: queue)
        job.cancel()
        queue.runAll()
        #expect(hand.executions == 0)
        #expect(notes.value == ["cancel"])
    }

    @Test func aContextThatDropsTheWorkCancelsTheJob() {
        let (queue, notes) = (QueueContext(), Shared<[String]>())
        let job = Work.succeeded(1).log(to: notes).execute(on: queue)
        queue.dropNext()
        #expect(job.state == .cancelled)
        #expect(notes.value == ["cancel"])
        #expect(job.future.result == .failure(.cancelled))
    }

    @Test func bodiesAndHandlersAreReleasedWhenTheJobIsOver() {
        let alive = Shared(0)
        let capture = { JobCapture(alive) }
        let jobs = (0..<2).map { number in
            let (body, handlers) = (capture(), capture())
            return Work { succeed, _ in withExtendedLifetime(body) { succeed(number) } }
                .onSuccess { _ in withExtendedLifetime(handlers) {} }
                .onProgress { _ in withExtendedLifetime(handlers) {} }
                .onCancel { withExtendedLifetime(handlers) {} }
        }
        #expect(alive.value == 4)
        jobs[0].execute()
        #expect(alive.value == 2)
        jobs[1].cancel()
        #expect(alive.value == 0)
        #expect(jobs.map(\.state) == [.completed, .cancelled])
    }
}
