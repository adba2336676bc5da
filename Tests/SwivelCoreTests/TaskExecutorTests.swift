// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Tasks that run on a loop.
@Suite(.offPool) struct TaskExecutorTests {
    private let probe = Probe()

    /// F1: a task that never stops yielding starves neither timers nor posts.
    @Test func aYieldingTaskStarvesNobody() throws {
        let loop = try threadedLoop()
        let isOver = Shared(false)
        let spinner = Task(executorPreference: loop.taskExecutor) {
            while !isOver.value {
                await Task.yield()
            }
        }
        let done = Gate()
        loop.schedule(after: .milliseconds(1), probe.work { done.open() })
        loop.execute(
            probe.work { [probe] in
                loop.schedule(after: .milliseconds(1), probe.work { done.open() })
                loop.execute(probe.work { done.open() })
            })
        done.wait(times: 3)
        isOver.value = true
        #expect(ended(spinner) != nil)
        loop.shutdown()
    }

    /// An executor of the user's, which leaves its jobs to a loop.
    @Test func aLoopTakesTheJobsOfAnotherExecutor() throws {
        final class Counting: TaskExecutor {
            let loop: Loop
            let jobs = Shared(0)

            init(_ loop: Loop) { self.loop = loop }

            func enqueue(_ job: consuming ExecutorJob) {
                jobs.update { $0 += 1 }
                loop.enqueue(job)
            }
        }
        let loop = try threadedLoop()
        defer { loop.shutdown() }
        let executor = Counting(loop)
        let task = Task(executorPreference: executor) {
            await Task.yield()
            return Loop.current === loop
        }
        #expect(ended(task) == true)
        #expect(executor.jobs.value >= 2)
    }

    /// B1: a job may not block the loop; the message says what to do.
    @Test(arguments: [true, false])
    func aBlockingWaitInAJobTraps(inAnActor: Bool) async throws {
        let result: ExitTest.Result
        if inAnActor {
            result = try await #require(processExitsWith: .failure, observing: standardError) {
                try exitTest {
                    let actor = Resident(try Loop())
                    Task.detached { await actor.run { _ = Latch().wait() } }
                    Gate().wait()
                }
            }
        } else {
            result = try await #require(processExitsWith: .failure, observing: standardError) {
                try exitTest {
                    Task(executorPreference: try Loop().taskExecutor) { block() }
                    Gate().wait()
                }
            }
        }
        #expect(result.errors.contains("a blocking wait inside a task or actor job"))
    }

    /// B1: the same for a shutdown of another loop, which would pump this one.
    @Test func shuttingAnotherLoopDownInAJobTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let other = try Loop()
                Task(executorPreference: try Loop().taskExecutor) { close(other) }
                Gate().wait()
            }
        }
        #expect(result.errors.contains("a blocking wait inside a task or actor job"))
    }
}

@discardableResult
private func close(_ loop: Loop) -> ShutdownReport { loop.shutdown() }

private func block() { _ = Latch().wait() }
