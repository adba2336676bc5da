// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelJobs
import SwivelTestSupport
import Testing

/// A job that cannot fail is continued with one that can, of any error type.
@Suite(.offPool) struct JobPromotionTests {
    @Test func aDelayIsContinuedWithAJobThatMayFail() throws {
        let loop = try manualLoop()
        let notes = Shared<[String]>()
        let job = Job<Int, JobFault> { _, fail in fail(JobFault(code: 3)) }
        loop.delay(.seconds(1)).then(job).log(to: notes).execute()
        loop.delay(.seconds(1)).then { Job<Int, any Error>.succeeded(4) }.log(to: notes).execute()
        loop.delay(.seconds(1)).then(Job<Int, Never>.succeeded(5)).log(to: notes).execute()
        loop.delay(.seconds(1)).then { _ in Job<Int, Never>.succeeded(6) }.log(to: notes).execute()
        #expect(notes.value == [])
        loop.advance(by: .seconds(1))
        #expect(
            notes.value.filter { !$0.hasPrefix("0") && !$0.hasPrefix("1") } == [
                "failure 3", "success 4", "success 5", "success 6",
            ])
        loop.shutdown()
    }

    @Test func aDelayOnAQueueIsContinuedWithAJobThatMayFail() {
        let (gate, seen) = (Gate(), Shared<[Int]>())
        let queue = DispatchQueue(label: "test.delay")
        let job = Job<Int, JobFault> { _, fail in fail(JobFault(code: 3)) }
        queue.delay(.zero).then(job).onFailure {
            seen.append($0.code)
            gate.open()
        }.execute()
        gate.wait()
        #expect(seen.value == [3])
    }

    @Test func thePartsCountByTheirWeightsAndAreCancelledTogether() {
        let (first, second) = (JobHand<Int, Never>(), JobHand<Int, JobFault>())
        let (a, b) = (first.make().setWeight(3), second.make())
        let notes = Shared<[String]>()
        let whole = a.then(b).log(to: notes)
        whole.execute()
        first.report(0.5)
        first.succeed(1)
        second.report(0.5)
        whole.cancel()
        #expect(notes.value == ["0.375", "0.75", "0.875", "cancel"])
        #expect(b.state == .cancelled)
    }

    @Test func promoteErrorKeepsTheValueTheProgressAndTheWeight() {
        let hand = JobHand<Int, Never>()
        let notes = Shared<[String]>()
        let promoted: Job<Int, JobFault> = hand.make().setWeight(2).promoteError()
        #expect(promoted.weight == 2)
        promoted.log(to: notes).execute()
        hand.report(0.5)
        hand.succeed(7)
        #expect(notes.value == ["0.5", "success 7"])
        let other = Job<Int, Never>.succeeded(1).promoteError(to: JobFault.self)
        Job.sequential([other, Job<Int, JobFault>.failed(JobFault(code: 4))])
            .onFailure { notes.append("\($0.code)") }.execute()
        #expect(notes.value.last == "4")
    }
}
