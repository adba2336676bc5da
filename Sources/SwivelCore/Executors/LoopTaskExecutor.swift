// SPDX-License-Identifier: Apache-2.0

/// Runs tasks on a ``Loop``: `Task(executorPreference: loop.taskExecutor) { … }`.
///
/// Everything of such a task that is not bound to an actor elsewhere runs on the loop's thread, and
/// what it starts inherits the preference: `async let`, task groups, and the asynchronous functions
/// that it calls. A call to an actor on the same loop stays on the thread.
///
/// Get it from ``Loop/taskExecutor``. It retains its loop.
public final class LoopTaskExecutor: TaskExecutor {
    /// The loop on which its tasks run.
    public let loop: Loop

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Queues a task's next step on the loop. Called by the Swift runtime.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1), without allocation but one queue segment in 512 jobs.
    public func enqueue(_ job: consuming ExecutorJob) {
        LoopTasks.enqueue(TaskWords(job, .taskJob), on: loop)
    }

    /// The executor as the Swift runtime takes it.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }
}

extension Loop {
    /// The executor of tasks that run on this loop.
    ///
    /// The same object as long as anybody holds it. A task retains the executor that it prefers, and
    /// with it the loop.
    ///
    /// **Thread:** any.
    public var taskExecutor: LoopTaskExecutor { tasks.executor(of: self) }
}
