// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import Dispatch
import Glibc
import SwivelCore
import SwivelRuntime
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// Keeps the first job that it is given, and runs others on a queue of Dispatch.
final class JobCatcher: TaskExecutor {
    private let caught = Lock<UnownedJob?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = caught.withLock { caught in
            if caught != nil { return false }
            caught = job
            return true
        }
        if isFirst { return }
        DispatchQueue.global().async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// A new task's job, which is not enqueued anywhere.
    static func job(_ body: @escaping @Sendable () async -> Void) -> UnownedJob {
        let catcher = JobCatcher()
        Task.detached(executorPreference: catcher) { await body() }
        guard let job = catcher.caught.withLock({ $0 }) else { fatalError("no job") }
        return job
    }
}

/// Other code gives the default executor a job, to be run at an instant, inside of a task that
/// suspends and resumes, with and without sleeps of its own.
func jobOfAnotherLibrary() async {
    guard let executor = Task.defaultExecutor as? any SchedulingExecutor
    else { return require(false, "it schedules") }
    let delay = Duration.milliseconds(200)
    let (ran, early) = (Count(), Count())
    let start = ContinuousClock.now
    for _ in 0..<10 {
        let job = JobCatcher.job {
            if start.duration(to: .now) < delay { early.add() }
            ran.add()
        }
        executor.enqueue(ExecutorJob(job), after: delay, tolerance: nil, clock: .continuous)
        require(SwivelRuntime.metrics.sleepsPending == 0, "it is a sleep")
        for _ in 0..<100 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(1))
    }
    await until { ran.value == 10 }
    require(early.value == 0, "\(early.value) of 10 have run early")
}

/// The sleeps of a loop that ends inside of another task pass elsewhere, to their ends.
func loopEndsInsideATask() async throws {
    let loop = try Loop.embedded()
    let duration = Duration.milliseconds(300)
    let start = ContinuousClock.now
    let sleeper = Task.detached(executorPreference: loop.taskExecutor) {
        try? await Task.sleep(for: duration)
        return start.duration(to: .now)
    }
    endOnceATaskSleeps(loop)
    for _ in 0..<100 { await Task.yield() }
    let slept = await sleeper.value
    require(slept >= duration, "it has slept for \(slept) only")
}

private func endOnceATaskSleeps(_ loop: Loop) {
    while SwivelRuntime.metrics.sleepsPending == 0 { loop.runOnce(.noWait) }
    loop.shutdown()
}
#endif
