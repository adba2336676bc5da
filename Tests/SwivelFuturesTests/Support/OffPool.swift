// SPDX-License-Identifier: Apache-2.0
import Testing

/// Runs each test of a suite on a thread of its own and checks that it leaves no closure behind.
///
/// The tests block. On the cooperative pool, which is as wide as the machine has processors, two of
/// them would starve everything else.
struct OffPool: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let executor = ThreadExecutor()
        try await withTaskExecutorPreference(executor) {
            try await function()
        }
        executor.stop()
        if !Probe.settle() {
            Issue.record("\(Probe.alive.value) closures are left")
            Probe.alive.add(-Probe.alive.value)
        }
    }
}

extension Trait where Self == OffPool {
    /// See ``OffPool``.
    static var offPool: OffPool { OffPool() }
}

/// One thread that runs a task's jobs.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    // because the monitor guards the jobs and the end.
    private let monitor = Monitor()
    private var jobs: [UnownedJob] = []
    private var isStopped = false
    private let thread = Shared<TestThread?>(nil)

    init() {
        thread.value = TestThread { [self] in run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        monitor.locked {
            jobs.append(job)
            monitor.wakeAll()
        }
    }

    func stop() {
        monitor.locked {
            isStopped = true
            monitor.wakeAll()
        }
        thread.value?.join()
        thread.value = nil
    }

    private func run() {
        while let job = next() {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private func next() -> UnownedJob? {
        monitor.locked {
            while jobs.isEmpty {
                if isStopped {
                    return nil
                }
                _ = monitor.wait(seconds: 3600)
            }
            return jobs.removeFirst()
        }
    }
}
