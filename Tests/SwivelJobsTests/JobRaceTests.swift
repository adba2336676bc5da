// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Synchronization
import Testing

@Suite struct JobRaceTests {
    typealias Work = Job<Int, JobFault>

    /// The reports that the handlers of one round have heard.
    private final class Heard: Sendable {
        let results = Atomic(0)
        let cancels = Atomic(0)
        let afterCancel = Atomic(0)
        let lastProgress = Shared(0.0)

        func listen(to job: Work, on context: any ExecutionContext) {
            job.onComplete(on: context) { [self] _ in
                results.wrappingAdd(1, ordering: .relaxed)
                if cancels.load(ordering: .relaxed) > 0 {
                    afterCancel.wrappingAdd(1, ordering: .relaxed)
                }
            }
            job.onProgress(on: context) { [self] in
                if cancels.load(ordering: .relaxed) + results.load(ordering: .relaxed) > 0 {
                    afterCancel.wrappingAdd(1, ordering: .relaxed)
                }
                lastProgress.value = $0.fraction
            }
            job.onCancel(on: context) { [self] in cancels.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    /// A job under way, and what its handlers have heard.
    private struct Game: Sendable {
        let job: Work
        let hand = JobHand<Int, JobFault>()
        let heard = Heard()

        init(on context: any ExecutionContext) {
            job = hand.make()
            heard.listen(to: job, on: context)
            job.execute()
        }

        func expectOneOutcome() {
            let (results, cancels) = (
                heard.results.load(ordering: .relaxed), heard.cancels.load(ordering: .relaxed)
            )
            #expect(results + cancels == 1)
            #expect(job.isCancelled == (cancels == 1))
            #expect(heard.afterCancel.load(ordering: .relaxed) == 0)
        }
    }

    @Test func onAQueueNothingStartsAfterACancelThere() throws {
        let loop = try Loop(Loop.Configuration(name: "jobs"))
        let games = (0..<2000).map { _ in Game(on: loop) }
        onThreads(2) { number in
            for game in games {
                let (job, hand, heard) = (game.job, game.hand, game.heard)
                if number == 0 {
                    loop.execute {
                        let before = heard.results.load(ordering: .relaxed)
                        job.cancel()
                        loop.execute {
                            if heard.results.load(ordering: .relaxed) != before {
                                heard.afterCancel.wrappingAdd(1, ordering: .relaxed)
                            }
                        }
                    }
                } else {
                    hand.report(0.5)
                    hand.succeed(1)
                }
            }
        }
        loop.shutdown(.drain(within: .seconds(30)))
        games.forEach { $0.expectOneOutcome() }
    }

    @Test func executedByManyThreadsItRunsOnce() {
        let hands = (0..<500).map { _ in JobHand<Int, JobFault>() }
        let jobs = hands.map { $0.make() }
        onThreads(4) { _ in jobs.forEach { $0.execute() } }
        #expect(hands.allSatisfy { $0.executions == 1 })
    }
}
