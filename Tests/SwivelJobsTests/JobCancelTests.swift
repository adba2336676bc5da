// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

@Suite struct JobCancelTests {
    typealias Work = Job<Int, JobFault>

    @Test func afterCancelNoSuccessFailureOrProgressHandlerStarts() {
        let (hand, notes) = (JobHand<Int, JobFault>(), Shared<[String]>())
        let job = hand.make().log(to: notes).execute()
        hand.report(0.5)
        job.cancel()
        hand.report(0.75)
        hand.succeed(1)
        hand.fail(JobFault())
        job.onComplete { _ in notes.append("late") }
        #expect(notes.value == ["0.5", "cancel"])
        #expect(job.state == .cancelled && job.isCancelled)
    }

    @Test func cancelBeforeExecuteKeepsTheBodyFromRunning() {
        let (hand, notes) = (JobHand<Int, JobFault>(), Shared<[String]>())
        let job = hand.make().log(to: notes)
        job.cancel()
        job.execute()
        #expect(hand.executions == 0)
        #expect(notes.value == ["cancel"])
        #expect(job.state == .cancelled)
    }

    @Test func onASerialContextCancelIsAbsolute() {
        let (queue, notes) = (QueueContext(), Shared<[String]>())
        let job = Work { succeed, _, progress in
            progress(JobProgress(0.5))
            succeed(1)
        }.log(to: notes, on: queue).execute()
        #expect(job.state == .completed)
        job.cancel()
        queue.runAll()
        #expect(notes.value == ["cancel"])
        #expect(job.state == .cancelled)
    }

    @Test func aLateCancelHandlerHearsOfACancelThatALaterHandlerWaitsFor() {
        let (queue, notes) = (QueueContext(), Shared<[String]>())
        let job = Work.succeeded(1).execute()
        job.onCancel { notes.append("cancel") }
        job.onSuccess(on: queue) { _ in notes.append("success") }
        job.cancel()
        queue.runAll()
        #expect(notes.value == ["cancel"])
        #expect(job.state == .completed)
    }

    /// They do so, too, if they were there before.
    @Test(arguments: [false, true])
    func handlersThatWaitForAListenerGiveWayToACancel(hasFuture: Bool) {
        let (hand, notes) = (JobHand<Int, JobFault>(), Shared<[String]>())
        let job = hand.make()
        job.onProgress { [weak job] _ in
            hand.succeed(1)
            job?.cancel()
            notes.append("cancel has returned")
        }
        job.onSuccess { _ in notes.append("success") }
        job.onCancel { notes.append("cancel") }
        let future = hasFuture ? job.future : nil
        job.execute()
        hand.report(0.5)
        #expect(notes.value == ["cancel has returned", "cancel"])
        #expect(job.state == (hasFuture ? .completed : .cancelled))
        #expect(future?.result == (hasFuture ? .success(1) : nil))
    }

    /// The cancel comes while the result is being delivered, and is delivered after that.
    @Test(arguments: [false, true])
    func cancelHandlersThatAreRegisteredBeforeTheOthersAreCalledComeLast(hasFuture: Bool) {
        let notes = Shared<[String]>()
        let job = Work.succeeded(1)
        let context = AnyContext { [weak job] _ in
            job?.cancel()
            job?.onSuccess { _ in notes.append("late") }
            job?.onCancel { notes.append("second") }
        }
        job.onSuccess(on: context) { _ in notes.append("success") }
        job.onCancel { notes.append("first") }
        let future = hasFuture ? job.future : nil
        job.execute()
        #expect(notes.value == (hasFuture ? ["late"] : []) + ["first", "second"])
        #expect(job.state == (hasFuture ? .completed : .cancelled))
        withExtendedLifetime(future) {}
    }

    @Test func aDelayIsAJobWhoseTimerGoesWithIt() throws {
        let loop = try Loop.manual()
        let notes = Shared<[String]>()
        let delay = loop.delay(.seconds(2)).onSuccess { notes.append("delayed") }
        loop.advance(by: .seconds(3))
        #expect(delay.state == .notExecuted)
        delay.execute()
        loop.advance(by: .seconds(1))
        #expect(delay.state == .executing)
        loop.advance(by: .seconds(1))
        #expect(notes.value == ["delayed"])
        let cancelled = loop.delay(.seconds(2)).execute()
        loop.advance(by: .zero)
        #expect(loop.metrics.pending == 1)
        cancelled.cancel()
        loop.advance(by: .zero)
        #expect(loop.metrics.pending == 0)
        loop.shutdown()
        #expect(loop.delay(.seconds(1)).execute().state == .cancelled)
    }
}
