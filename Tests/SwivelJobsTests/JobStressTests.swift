// SPDX-License-Identifier: Apache-2.0
import SwivelJobs
import SwivelTestSupport
import Synchronization
import Testing

/// All that can happen to one job, at once.
@Suite struct JobStressTests {
    private typealias Work = Job<[JobCapture], JobFault>

    /// One job, and what its first handlers and those of other threads hear.
    private final class Game: Sendable {
        let hand = JobHand<[JobCapture], JobFault>()
        let job: Work
        let ends = Atomic(0)
        let lateEnds = Atomic(0)
        let progressAfterTheEnd = Atomic(0)
        private let calls = Atomic(0)
        let overlaps = Atomic(0)

        init() {
            job = hand.make()
            listen()
            job.onComplete { [unowned self] _ in ends.wrappingAdd(1, ordering: .relaxed) }
            job.onCancel { [unowned self] in ends.wrappingAdd(1, ordering: .relaxed) }
            job.execute()
        }

        func listen() {
            job.onProgress { [unowned self] _ in
                let before = calls.wrappingAdd(1, ordering: .relaxed).oldValue
                if before > 0 { overlaps.wrappingAdd(1, ordering: .relaxed) }
                if ends.load(ordering: .relaxed) > 0 {
                    progressAfterTheEnd.wrappingAdd(1, ordering: .relaxed)
                }
                calls.wrappingSubtract(1, ordering: .relaxed)
            }
        }

        func registerLate() {
            listen()
            job.onComplete { [unowned self] _ in lateEnds.wrappingAdd(1, ordering: .relaxed) }
            job.onCancel { [unowned self] in lateEnds.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    /// Four threads go through the jobs, and wait for each other now and then.
    private func play(_ games: [Game], _ alive: Shared<Int>) {
        let lines = games.map { _ in StartingLine(4) }
        onThreads(4) { number in
            for (index, game) in games.enumerated() {
                if index % 20 == 0 { lines[index].lineUp() }
                switch number {
                case 0: game.registerLate()
                case 1: for step in 1...3 { game.hand.report(Double(step) / 4) }
                case 2: game.hand.succeed([JobCapture(alive)])
                default:
                    switch index % 3 {
                    case 0: game.job.cancel()
                    case 1: game.hand.fail(JobFault())
                    default: game.hand.succeed([JobCapture(alive)])
                    }
                }
            }
        }
    }

    @Test func aJobThatAllCallAtOnceEndsOnce() {
        let alive = Shared(0)
        let batch = 500
        for _ in 0..<(Machine.isSanitized ? 2000 : 100_000) / batch {
            let games = (0..<batch).map { _ in Game() }
            play(games, alive)
            for (index, game) in games.enumerated() {
                #expect(game.ends.load(ordering: .relaxed) == 1)
                // A cancel that comes after the result silences a late handler that has not begun.
                let late = game.lateEnds.load(ordering: .relaxed)
                #expect(late == 1 || index % 3 == 0 && late == 0)
                #expect(game.progressAfterTheEnd.load(ordering: .relaxed) == 0)
                #expect(game.overlaps.load(ordering: .relaxed) == 0)
                #expect(game.job.state == .completed || index % 3 == 0 && game.job.isCancelled)
            }
        }
        #expect(alive.value == 0)
    }

    @Test func aJobReleasedWhileItEndsLeavesNothing() {
        let alive = Shared(0)
        let rounds = Machine.isSanitized ? 1000 : 20_000
        let jobs = (0..<rounds).map { _ in Shared<Work?>(nil) }
        let functions = jobs.map { job in
            let functions = Shared<(Work.Succeed, Work.Report)?>(nil)
            job.value = Work { succeed, _, report in functions.value = (succeed, report) }
                .onProgress { [capture = JobCapture(alive)] _ in withExtendedLifetime(capture) {} }
                .onSuccess { [capture = JobCapture(alive)] _ in withExtendedLifetime(capture) {} }
                .execute()
            return functions
        }
        onThreads(3) { number in
            for (job, functions) in zip(jobs, functions) {
                switch number {
                case 0: job.value = nil
                case 1: functions.value?.0([JobCapture(alive)])
                default:
                    functions.value?.1(JobProgress(0.5))
                    functions.value = nil
                }
            }
        }
        #expect(alive.value == 0)
    }
}
