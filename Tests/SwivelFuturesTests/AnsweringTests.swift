// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// The expectation of a thread that has completed a future for which a task waits.
@Suite(.offPool) struct AnsweringTests {
    @Test func aTaskElsewhereMayCallAgain() {
        // On a thread of its own: a task that it resumes does not run beside the test's.
        let seen = Shared<[swivel_reply]>([])
        onThreads(1) { _ in
            let sure = Promise<Int, Never>()
            Task(executorPreference: Inline()) { await sure.future.value }
            let failing = Promise<Int, Boom>()
            Task(executorPreference: Inline()) { try await failing.future.value }
            seen.value = [
                expectation { sure.succeed(1) }, expectation { failing.fail(Boom(code: 1)) },
            ]
        }
        #expect(seen.value == [SWIVEL_REPLY_WOKEN, SWIVEL_REPLY_WOKEN])
    }

    @Test func aTaskOfTheSameLoopDoesNot() throws {
        let loop = try Loop.embedded()
        let sure = Promise<Int, Never>()
        let failing = Promise<Int, Boom>()
        Task(executorPreference: loop.taskExecutor) { await sure.future.value }
        Task(executorPreference: loop.taskExecutor) { try await failing.future.value }
        loop.runOnce(.noWait)
        let seen = Shared<[swivel_reply]>([])
        loop.execute {
            seen.value = [
                expectation { sure.succeed(1) }, expectation { failing.fail(Boom(code: 1)) },
            ]
        }
        loop.runOnce(.noWait)
        #expect(seen.value == [SWIVEL_REPLY_NONE, SWIVEL_REPLY_NONE])
        loop.shutdown(.cancelPending)
    }

    private func expectation(after body: () -> Void) -> swivel_reply {
        _ = swivel__take_expected()
        body()
        return swivel__take_expected()
    }
}

/// Runs a task where it is enqueued, until it suspends.
private final class Inline: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
