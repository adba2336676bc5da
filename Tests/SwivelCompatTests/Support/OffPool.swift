// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Runs each test of a suite on a thread of its own, because the tests block.
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
    }
}

extension Trait where Self == OffPool {
    /// See ``OffPool``.
    static var offPool: OffPool { OffPool() }
}

/// One thread that runs a task's jobs.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    // because the condition guards the jobs and the end.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isStopped = false

    init() {
        Thread { self.run() }.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    func stop() {
        condition.withLock {
            isStopped = true
            condition.signal()
        }
    }

    private func run() {
        while let job = next() {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty && !isStopped { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
