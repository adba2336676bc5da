// SPDX-License-Identifier: Apache-2.0

/// One thread that runs a task's jobs.
final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
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

    /// Waits for the thread's end.
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
                monitor.wait()
            }
            return jobs.removeFirst()
        }
    }
}
