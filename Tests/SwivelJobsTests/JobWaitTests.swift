// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// Waits for jobs that can never end.
@Suite(.offPool) struct JobWaitTests {
    typealias Work = Job<Int, JobFault>
    typealias Row = Job<[Int], JobFault>

    @Test func aJobThatContinuesWithItselfTraps() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
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
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
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

    @Test func partsThatSeveralShareAreNoRing() {
        let hand = JobHand<Int, JobFault>()
        let shared = hand.make().map { $0 + 1 }
        let sums = Row.concurrent([shared, shared.map { $0 }, shared])
        let all = sums.then { _ in shared }
        all.execute()
        sums.execute()
        hand.succeed(1)
        #expect(all.future.result == .success(2))
    }
}
