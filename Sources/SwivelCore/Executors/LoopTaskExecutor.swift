// SPDX-License-Identifier: Apache-2.0

/// Runs tasks on a ``Loop``: `Task(executorPreference: loop.taskExecutor) { … }`. It retains the
/// loop.
///
/// Every part of such a task that is not bound to an actor elsewhere runs on the loop's thread. The
/// child tasks of `async let` and of task groups inherit the preference, and so do the asynchronous
/// functions that it calls. A call to an actor on the same loop stays on the thread.
///
/// **Thread:** any.
public final class LoopTaskExecutor: TaskExecutor {
    /// The loop on which its tasks run.
    public let loop: Loop

    init(_ loop: Loop) { self.loop = loop }

    /// Queues `job`, a task's next step, on the loop. The Swift runtime calls it.
    ///
    /// - Complexity: O(1). No allocation but one queue segment in 512 jobs.
    public func enqueue(_ job: consuming ExecutorJob) {
        LoopTasks.enqueue(TaskWords(job, .taskJob), on: loop)
    }

    /// Returns the executor in the runtime's own form, which does not retain it.
    ///
    /// - Complexity: O(1).
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }
}

extension Loop {
    /// The executor of tasks that run on this loop: the same object for as long as it is retained.
    /// A task retains the executor that it prefers, and with it the loop.
    public var taskExecutor: LoopTaskExecutor { tasks.executor(of: self) }
}
