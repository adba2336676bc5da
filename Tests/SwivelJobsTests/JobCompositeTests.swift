// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

@Suite struct JobCompositeTests {
    typealias Work = Job<Int, JobFault>

    @Test func mappingsChangeValuesErrorsAndOutcomes() {
        let notes = Shared<[String]>()
        Work.succeeded(1).map { $0 + 1 }.log(to: notes).execute()
        Work.failed(JobFault(code: 1)).mapError { JobFault(code: $0.code + 1) }.log(to: notes)
            .execute()
        Work.succeeded(3).mapOutcome { _ in Result<Int, JobFault>.failure(JobFault(code: 4)) }
            .log(to: notes).execute()
        let void: Job<Void, JobFault> = Work.succeeded(1).map { _ in }
        #expect(void.execute().state == .completed)
        #expect(notes.value == ["success 2", "failure 2", "failure 4"])
    }

    @Test func mapProgressScalesFractionsAndKeepsUserData() {
        let seen = Shared<[String]>()
        let hand = JobHand<Int, JobFault>()
        hand.make().mapProgress(into: 0.6...1).onProgress { seen.append("\($0.fraction)") }
            .execute()
        hand.report(0.5)
        Work { _, _, progress in progress(JobProgress(0.5, userInfo: "half")) }
            .mapProgress(into: 0...0.5)
            .mapProgress { JobProgress($0.fraction, userInfo: "\($0.userInfo ?? "") of it") }
            .onProgress { seen.append("\($0.fraction) \($0.userInfo ?? "")") }
            .execute()
        #expect(seen.value == ["0.8", "0.25 half of it"])
    }

    @Test func aFailureInConcurrentCancelsExecutingSiblings() {
        let hands = (0..<4).map { _ in JobHand<Int, JobFault>() }
        defer { withExtendedLifetime(hands) {} }  // A released hand abandons its job.
        let (jobs, notes) = (hands.map { $0.make() }, Shared<[String]>())
        let all = Job.concurrent(jobs).map { $0.count }.log(to: notes).execute()
        hands[0].succeed(0)
        hands[2].fail(JobFault(code: 5))
        #expect(notes.value.last == "failure 5")
        #expect(all.state == .completed)
        #expect(jobs.map(\.state) == [.completed, .cancelled, .completed, .cancelled])
    }

    @Test func aJobThatFailsAtOnceKeepsLaterOnesFromBeingExecuted() {
        let later = JobHand<Int, JobFault>()
        let jobs = [Work.failed(JobFault()).map { $0 }, later.make()]
        #expect(Job.concurrent(jobs).execute().state == .completed)
        #expect(later.executions == 0)
        #expect(jobs[1].state == .notExecuted)
    }

    @Test func noJobsAtAllSucceedAtOnce() {
        #expect(Job.sequential([Work]()).execute().future.result == .success([]))
        #expect(Job.concurrent([Work]()).execute().future.result == .success([]))
    }

    @Test(arguments: [true, false])
    func progressCountsByWeight(_ isSequential: Bool) {
        let make = isSequential ? Job<[Int], JobFault>.sequential : Job.concurrent
        func fractions(_ weights: [Double]) -> [Double] {
            let seen = Shared<[Double]>([])
            make(weights.map { Work.succeeded(1).setWeight($0) })
                .onProgress { progress in seen.update { $0.append(progress.fraction) } }.execute()
            return seen.value
        }
        #expect(fractions([1, 3, 6]) == [0.1, 0.4, 1])
        #expect(fractions([1, 1, 1, 1]) == [0.25, 0.5, 0.75, 1])
        #expect(fractions([0, 0]) == [0.5, 1])
        #expect(fractions([0, 2]) == [0, 1])
    }

    @Test func progressOfCompositesGoesForwardOnlyAndCarriesUserData() {
        let hands = (0..<2).map { _ in JobHand<Int, JobFault>() }
        let seen = Shared<[Double]>([])
        Job.concurrent(hands.map { $0.make() })
            .onProgress { progress in seen.update { $0.append(progress.fraction) } }.execute()
        for fraction in [0.5, 0.25, 0.5, 1] { hands[0].report(fraction) }
        hands[0].succeed(1)
        hands[1].report(0.5)
        hands[1].succeed(1)
        #expect(seen.value == [0.25, 0.5, 0.75, 1])
        let data = Shared<[String]>()
        let part = Work { succeed, _, progress in
            progress(JobProgress(0.5, userInfo: "a"))
            progress(JobProgress(0.25, userInfo: "b"))
            succeed(1)
        }
        Job.sequential([part]).onProgress { data.append("\($0.fraction) \($0.userInfo ?? "-")") }
            .execute()
        #expect(data.value == ["0.5 a", "0.5 b", "1.0 -"])
    }

    @Test func aProgressHandlerRegisteredLateHearsOfRunningParts() {
        let hands = (0..<2).map { _ in JobHand<Int, JobFault>() }
        defer { withExtendedLifetime(hands) {} }  // A released hand abandons its job.
        let seen = Shared<[Double]>([])
        let job = Job.sequential([Job.concurrent(hands.map { $0.make() }).map { $0.count }])
            .execute()
        hands[0].report(0.5)
        job.onProgress { progress in seen.update { $0.append(progress.fraction) } }
        hands[0].report(0.75)
        hands[1].report(0.25)
        #expect(seen.value == [0.375, 0.5])
    }

    @Test func whatRecoversGoesOnWhereTheFailedJobWas() {
        let seen = Shared<[Double]>([])
        let (first, second) = (JobHand<Int, JobFault>(), JobHand<Int, JobFault>())
        first.make().recover(second.make())
            .onProgress { progress in seen.update { $0.append(progress.fraction) } }.execute()
        first.report(0.5)
        first.fail(JobFault())
        second.report(0.5)
        #expect(seen.value == [0.5, 0.75])
    }

    @Test func cancellingACompositeCancelsExecutingPartsOnly() {
        let hands = (0..<3).map { _ in JobHand<Int, JobFault>() }
        let (jobs, notes) = (hands.map { $0.make() }, Shared<[String]>())
        let all = Job.sequential(jobs).map { $0.count }
        all.log(to: notes).execute()
        hands[0].succeed(1)
        all.cancel()
        #expect(jobs.map(\.state) == [.completed, .cancelled, .notExecuted])
        hands[1].succeed(1)
        #expect(hands[2].executions == 0)
        #expect(notes.value.last == "cancel")
    }

    @Test func aPartThatIsCancelledFromOutsideCancelsTheComposite() {
        for index in 0..<4 {
            let (hand, other, notes) = (
                JobHand<Int, JobFault>(), JobHand<Int, JobFault>(), Shared<[String]>()
            )
            let part = hand.make()
            let wholes: [Work] = [
                part.then(other.make()), part.recover(other.make()),
                Job.sequential([part, other.make()]).map { $0.count },
                Job.concurrent([part, other.make()]).map { $0.count },
            ]
            let whole = wholes[index].log(to: notes).execute()
            part.cancel()
            #expect(whole.state == .cancelled)
            #expect(notes.value == ["cancel"])
        }
    }

    @Test func aPartThatWasCancelledBeforeCancelsTheComposite() {
        let part = Work.succeeded(1)
        part.cancel()
        #expect(Work.succeeded(1).then(part).execute().state == .cancelled)
        #expect(Job.concurrent([part]).execute().state == .cancelled)
    }

    @Test func aSharedPartRunsOnceAndAllHearItsResult() {
        let (hand, notes) = (JobHand<Int, JobFault>(), Shared<[String]>())
        let shared = hand.make()
        shared.then(Work.succeeded(1)).log(to: notes, as: "then ").execute()
        Job.concurrent([shared, shared]).map { $0.reduce(0, +) }.log(to: notes, as: "all ")
            .execute()
        shared.execute()
        hand.succeed(4)
        #expect(hand.executions == 1)
        #expect(notes.value.contains("then success 1"))
        #expect(notes.value.last == "all success 8")
        let late = Job.sequential([shared]).execute()
        #expect(late.future.result == .success([4]))
    }

    @Test func anErrorThatHandlersWaitForIsNotLostToThePartsThatItCancels() {
        let (queue, hand, notes) = (QueueContext(), JobHand<Int, JobFault>(), Shared<[String]>())
        let whole = Job.concurrent([hand.make(), Job.failed(JobFault(code: 1))])
        whole.log(to: notes, on: queue).execute()
        queue.runAll()
        #expect(notes.value == ["failure 1"])
    }
}
