// SPDX-License-Identifier: Apache-2.0

/// The task-local values that are bound at one point, for closures that run later.
///
/// Only a new task can copy such values, so this has one. It is suspended unless a closure runs,
/// and continues inside ``run(_:)``, on the thread that called it.
final class TaskLocals: @unchecked Sendable {
    // because the closures that run here follow each other, and `waiting` is touched by them alone.
    private var waiting: UnsafeContinuation<(@Sendable () -> Void)?, Never>?

    /// Captures the values that are bound here and now.
    init() {
        let inline = Inline.shared
        // The task suspends before this returns: its executor runs it inside the call.
        Task(executorPreference: inline) { [unowned(unsafe) self] in
            while let work = await withUnsafeContinuation({ self.waiting = $0 }) {
                work()
            }
        }
    }

    deinit {
        waiting?.resume(returning: nil)
    }

    /// Runs `work` inside this call, with the values. One call at a time.
    func run(_ work: @escaping @Sendable () -> Void) {
        waiting.take()?.resume(returning: work)
    }

    /// Runs jobs where they are queued: a task that is resumed here continues before the call
    /// returns.
    private final class Inline: TaskExecutor {
        static let shared = Inline()

        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
