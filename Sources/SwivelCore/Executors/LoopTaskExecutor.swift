// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalScheduling) internal import _Concurrency
#endif

/// Runs tasks on a ``Loop``: `Task(executorPreference: loop.taskExecutor) { … }`. It retains the
/// loop.
///
/// Every part of such a task that is not bound to an actor elsewhere runs on the loop's thread. The
/// child tasks of `async let` and of task groups inherit the preference, and so do the asynchronous
/// functions that it calls. A call to an actor on the same loop stays on the thread.
///
/// On Linux with Swift 6.3 each `Task.sleep` of such a task, in whatever library, is a timer of the
/// loop, in virtual time on a manual loop, and a cancelled one leaves nothing. Elsewhere it is a
/// timer of the runtime's own executor.
///
/// **Thread:** any.
public class LoopTaskExecutor: TaskExecutor, @unchecked Sendable {
    // because the loop is constant, and subclasses add nothing that changes.

    /// The loop on which its tasks run.
    public let loop: Loop

    init(_ loop: Loop) { self.loop = loop }

    /// Queues `job`, a task's next step, on the loop. The Swift runtime calls it.
    ///
    /// - Complexity: O(1). No allocation but one queue segment in 512 jobs.
    public final func enqueue(_ job: consuming ExecutorJob) {
        LoopTasks.enqueue(TaskWords(job, .taskJob), on: loop)
    }

    /// Returns the executor in the runtime's own form, which does not retain it.
    ///
    /// - Complexity: O(1).
    public final func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    static func make(_ loop: Loop) -> LoopTaskExecutor {
        #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
        if WakeJob.isSupported { return SleepingLoopExecutor(loop) }
        #endif
        return LoopTaskExecutor(loop)
    }
}

#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
/// The runtime asks it for the sleeps of its tasks.
private final class SleepingLoopExecutor: LoopTaskExecutor, SchedulingExecutor,
    @unchecked Sendable  // because its only state is the constant loop
{
    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        TaskSleeps.schedule(
            UnownedJob(job), at: instant, tolerance: tolerance, clock: clock, on: loop
        ) { [loop] job in
            LoopTasks.enqueue(TaskWords(ExecutorJob(job), .taskJob), on: loop)
        }
    }
}
#endif

extension Loop {
    /// The executor of tasks that run on this loop: the same object for as long as it is retained.
    /// A task retains the executor that it prefers, and with it the loop.
    public var taskExecutor: LoopTaskExecutor { tasks.executor(of: self) }
}
