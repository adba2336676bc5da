// SPDX-License-Identifier: Apache-2.0
@_spi(ExperimentalScheduling) import _Concurrency
import SwivelCore
import SwivelTestSupport
import Testing

/// `Task.sleep` in tasks that prefer a real loop's executor: ends, cancels, and the loop's end.
@Suite(.enabled(if: WakeJob.isSupported)) struct TaskSleepRaceTests {
    @Test func noSleepIsLostOrEarly() async throws {
        let loop = try Loop()
        var random = Seeded()
        let early = Lock(0)
        var tasks: [Task<Void, any Error>] = []
        for _ in 0..<5_000 {
            let duration = Duration.microseconds(Int.random(in: 0...2000, using: &random))
            let task = Task(executorPreference: loop.taskExecutor) {
                let start = ContinuousClock.now
                try await Task.sleep(for: duration)
                if start.duration(to: .now) < duration { early.withLock { $0 += 1 } }
            }
            tasks.append(task)
            if Bool.random(using: &random), let other = tasks.randomElement(using: &random) {
                other.cancel()
            }
        }
        for task in tasks { _ = await task.result }
        #expect(early.withLock { $0 } == 0)
        #expect(loop.metrics.pending <= tasks.count)
        await loop.shutdown()
    }

    /// Cancels between the arming and the suspension are not seen; the sleeps end with the next
    /// step of their task.
    @Test func cancelsNearTheBeginning() async throws {
        let loop = try Loop()
        for round in 0..<20_000 {
            let task = Task(executorPreference: loop.taskExecutor) {
                try? await Task.sleep(for: .seconds(3600))
                await Task.yield()
            }
            for _ in 0..<(round % 3) { await Task.yield() }
            task.cancel()
            await task.value
        }
        #expect(loop.metrics.pending < 20)
        await loop.shutdown()
    }

    @Test func theRestOfASleepOutlivesItsLoop() async throws {
        let loop = try Loop()
        let task = Task(executorPreference: loop.taskExecutor) {
            let start = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(50))
            return start.duration(to: .now)
        }
        while loop.metrics.pending == 0 { await Task.yield() }
        await loop.shutdown()
        #expect(try await task.value >= .milliseconds(50))
    }

    @Test func aSleepOnALoopThatIsOver() async throws {
        let loop = try Loop()
        await loop.shutdown()
        let task = Task(executorPreference: loop.taskExecutor) {
            let start = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(5))
            return start.duration(to: .now)
        }
        #expect(try await task.value >= .milliseconds(5))
    }

    #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
    /// A job that other code gives to the executor is no sleep of the task that does it: it stays
    /// where it is when that task is enqueued.
    @Test func theJobsOfOthersAreNotWoken() async throws {
        let loop = try Loop()
        let scheduler = try #require(loop.taskExecutor as? any SchedulingExecutor)
        let hasRun = Lock(false)
        let late = LateExecutor(scheduler, by: .seconds(3600))
        let task = Task(executorPreference: loop.taskExecutor) {
            _ = Task(executorPreference: late) { hasRun.withLock { $0 = true } }
            for _ in 0..<100 { await Task.detached {}.value }
        }
        await task.value
        #expect(!hasRun.withLock { $0 })
        #expect(loop.metrics.pending == 1)
        await loop.shutdown()
    }

    /// They run at their instants, on the executor that they were given to.
    @Test(arguments: [false, true])
    func theJobsOfOthersOutliveTheirLoop(isManual: Bool) async throws {
        let (loop, delay) = (isManual ? try manualLoop() : try Loop(), Duration.milliseconds(50))
        let scheduler = try #require(loop.taskExecutor as? any SchedulingExecutor)
        let late = LateExecutor(scheduler, by: delay)
        let start = ContinuousClock.now
        let task = Task(executorPreference: late) {
            (start.duration(to: .now), WorkerPool.isOnWorker)
        }
        await loop.shutdown()
        let (elapsed, isOnPool) = await task.value
        #expect(elapsed >= delay)
        #expect(isOnPool, "late jobs of a loop run on the pool")
    }
    #endif
}

#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
/// Runs each job later.
private final class LateExecutor: TaskExecutor {
    private let scheduler: any SchedulingExecutor
    private let delay: Duration

    init(_ scheduler: any SchedulingExecutor, by delay: Duration) {
        self.scheduler = scheduler
        self.delay = delay
    }

    func enqueue(_ job: consuming ExecutorJob) {
        scheduler.enqueue(job, after: delay, clock: .continuous)
    }
}
#endif
