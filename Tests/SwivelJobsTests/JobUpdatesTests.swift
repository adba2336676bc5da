// SPDX-License-Identifier: Apache-2.0
import SwivelCore
@testable import SwivelJobs
import SwivelTestSupport
import Testing

/// A job's progress as a sequence.
@Suite struct JobUpdatesTests {
    private let hand = JobHand<Int, JobFault>()
    private let heard = Shared<[Double]>()

    @Test func progressUpdatesDoNotEndWhatOthersHear() {
        let queue = QueueContext()
        let job = hand.make().onProgress(on: queue) { [heard] in heard.append($0.fraction) }
        job.onSuccess(on: queue) { [heard] _ in heard.append(2) }
        let updates = job.progressUpdates
        job.execute()
        hand.report(0.5)
        hand.succeed(1)
        queue.runAll()
        #expect(heard.value == [0.5, 2])
        withExtendedLifetime(updates) {}
    }

    /// The numbers of handlers and of observers that the job has.
    private static func registered<V, E>(in job: Job<V, E>) -> [Int] {
        job.withLock { [$0.handlers.count, $0.work.observers.count] }
    }

    @Test func updatesThatAreDroppedLeaveNothingInTheJob() async {
        let job = hand.make()
        for _ in 0..<3 { _ = job.progressUpdates }
        #expect(Self.registered(in: job) == [0, 0])
        do {
            let (kept, updates) = (job.progressUpdates, job.progressUpdates)
            #expect(Self.registered(in: job)[0] == 2)
            job.execute()
            hand.report(0.5)
            for await update in updates.prefix(1) { #expect(update.fraction == 0.5) }
            withExtendedLifetime(kept) {}
        }
        #expect(Self.registered(in: job) == [0, 0])
        hand.report(0.75)
        hand.succeed(1)
        #expect(job.state == .completed)
    }

    @Test func updatesOfAJobThatIsDroppedEnd() async {
        let updates = { hand.make().progressUpdates }()
        for await _ in updates { Issue.record("a job that was never executed reported") }
    }
}
