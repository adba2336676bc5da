// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A loop is the executor of the actors that name it:
///
///     actor Session {
///         let loop: Loop
///         nonisolated var unownedExecutor: UnownedSerialExecutor {
///             loop.serialExecutor.asUnownedSerialExecutor()
///         }
///     }
///
/// Jobs run on the loop's thread in order with the posts of the thread that queued them, whatever
/// their priority; those that the loop's own closures and jobs queue in the same turn if that has
/// budget left.
///
/// Jobs are never dropped. Those that wait when the loop shuts down run while it closes; later ones
/// run on ``WorkerPool/shared``, one at a time, once the loop has closed: tasks always end, and an
/// actor's isolation holds. (In a forked child there are no threads to run them.) Once the loop has
/// been released as well, a job of an actor that did not retain it traps.
extension Loop: SerialExecutor {
    /// The executor of actors that live on this loop, which must retain it: the loop itself. A call
    /// between two actors of one loop is a plain call, because they have the same executor.
    public var serialExecutor: Loop { self }

    /// Queues `job`, an actor's next step, on the loop. The Swift runtime calls it.
    ///
    /// - Complexity: O(1). No allocation but one queue segment in 512 jobs.
    public func enqueue(_ job: consuming ExecutorJob) {
        LoopTasks.enqueue(TaskWords(job, .loopJob), on: self)
    }

    /// Returns the executor in the runtime's own form, which does not retain the loop. Once the
    /// loop is gone, jobs of this executor trap.
    ///
    /// - Complexity: O(1), a small object at the first use, which is never freed.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { tasks.actorExecutor(of: self) }

    /// Traps unless the caller is on the loop: `assumeIsolated` is accepted in all of its closures.
    ///
    /// - Complexity: O(1).
    public func checkIsolated() {
        check(
            isCurrent,
            """
            this code is isolated to an actor of \(self) and does not run there; \
            await the actor, or post the code to the loop with execute(_:)
            """)
    }

    /// Whether the caller is on the loop; see ``checkIsolated()``.
    ///
    /// - Complexity: O(1).
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

extension Loop {
    /// Queues a job of the main actor, whose executor has chosen this loop. **Thread:** any.
    package func acceptOfMainActor(_ job: UnownedJob) {
        LoopTasks.enqueue(TaskWords(ExecutorJob(job), .mainJob), on: self)
    }

    /// Traps if a blocking call may not pump the loop: in a host's libuv loop, and inside a job of
    /// a task or an actor. **Thread:** the loop's.
    package func checkThatAWaitMayPump(file: StaticString, line: UInt) {
        check(
            adoption == nil,
            """
            a blocking wait in a closure of \(self), which lives in a host's libuv loop: it would \
            hold up the host's own callbacks (wouldDeadlock); use a callback or 'await', or wait \
            off the loop
            """, file: file, line: line)
        check(
            !swivel__runs_job(record),
            """
            a blocking wait inside a task or actor job on \(self): the loop could only go on by \
            running other jobs of that actor in between; use 'await', or wait in a closure that was \
            posted with execute(_:), or off the loop
            """, file: file, line: line)
    }
}
