// SPDX-License-Identifier: Apache-2.0

/// A context whose closures see the task-local values that were bound where they were submitted.
private struct TaskLocalContext<Base: ExecutionContext>: CapturingContext {
    let base: Base

    func execute(_ work: @escaping @Sendable () -> Void) {
        let locals = TaskLocals()
        base.execute { locals.run(work) }
    }

    var isCurrent: Bool { base.isCurrent }

    func arm(_ request: TimerRequest) -> TimerHandle {
        var request = request
        request.body = capturing(request.body)
        return base.arm(request)
    }

    func capturing(_ body: TimerRequest.Body) -> TimerRequest.Body {
        let locals = TaskLocals()
        return body.with(
            once: { work in { locals.run(work) } },
            tick: { work in { tick in locals.run { work(tick) } } })
    }

    var wrapped: (any ExecutionContext)? { base }
}

extension ExecutionContext {
    /// This context, for closures that see the task-local values which are bound where they are
    /// submitted, or where their repeating timer is scheduled. By itself a closure sees none: it
    /// runs outside any task.
    ///
    ///     loop.inheritingTaskLocals.schedule(after: .seconds(1)) {
    ///         log("\(Request.name)")
    ///     }
    ///
    /// Only the values differ: closures run on this context, in order with its others.
    /// ``Loop/Configuration/maxPendingPosts`` may refuse any of its posts.
    ///
    /// - Complexity: O(1). Each closure's values cost a task: some hundred bytes.
    public var inheritingTaskLocals: some ExecutionContext { TaskLocalContext(base: self) }
}

/// The task-local values that are bound at one point, for closures that run later.
///
/// Only a new task can copy such values, so this has one. It is suspended unless a closure runs,
/// and continues inside ``run(_:)``, on the thread that called it.
final class TaskLocals: @unchecked Sendable {
    // because the closures that run here follow each other, and `waiting` is touched by them alone.
    private var waiting: UnsafeContinuation<(@Sendable () -> Void)?, Never>?

    init() {
        let inline = Inline.shared
        // The task suspends before this returns: its executor runs it inside the call.
        Task(executorPreference: inline) { [unowned(unsafe) self] in
            while let work = await withUnsafeContinuation({ self.waiting = $0 }) {
                work()
            }
        }
    }

    deinit { waiting?.resume(returning: nil) }

    /// Runs `work` inside this call, with the values. One call at a time.
    func run(_ work: @escaping @Sendable () -> Void) { waiting.take()?.resume(returning: work) }

    /// Runs jobs where they are queued: a task that is resumed here continues before the call
    /// returns.
    private final class Inline: TaskExecutor {
        static let shared = Inline()

        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
