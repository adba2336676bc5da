// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// What Swivel has done for the tasks of this process.
public struct RuntimeMetrics: Hashable, Sendable {
    /// Steps of tasks that the worker pool has run; 0 without ``SwivelRuntime/Mode/everything``.
    public let jobs: Int
    /// How long these have waited for a thread, to a microsecond.
    public let queueDelay: LoopMetrics.LatenessHistogram
    /// Sleeps that are pending, on loops too. Those are included whose cancel was not noticed.
    public let sleepsPending: Int
    /// Cancelled sleeps that left nothing once their task had come to one of Swivel's executors: at
    /// the cancel, as a rule.
    public let cancelledEarly: Int
    /// Cancelled sleeps that stayed until another task had the memory of theirs. Those that stay
    /// until their deadline end as others do, and are not counted.
    public let cancelledLate: Int
    /// Threads of the worker pool.
    public let threads: Int
    /// Those of them that are blocked, and that others replace.
    public let blockedThreads: Int
    /// Steps of tasks, and closures, that wait for a thread.
    public let queued: Int
}

extension SwivelRuntime {
    /// A snapshot of the counters.
    ///
    /// **Thread:** any.
    /// - Complexity: O(n) in the pool's threads.
    public static var metrics: RuntimeMetrics {
        let (sleeps, pool) = (TaskSleeps.counts, WorkerPool.shared.metrics)
        let delays = LoopMetrics.LatenessHistogram(counting: WorkerPool.shared.jobDelays)
        return RuntimeMetrics(
            jobs: delays.count, queueDelay: delays, sleepsPending: sleeps.pending,
            cancelledEarly: sleeps.cancelled, cancelledLate: sleeps.missed, threads: pool.threads,
            blockedThreads: pool.blocked, queued: pool.queued)
    }

    /// The tasks that sleep on Swivel and wake first, at most `limit` of them; a negative one
    /// traps. A task that was cancelled may still be among them.
    ///
    /// **Thread:** any.
    /// - Returns: The tasks, in the order of their deadlines.
    /// - Complexity: O(n log n) in the number of sleeping tasks.
    public static func sleeping(
        limit: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> [SleepingTask] {
        check(limit >= 0, "a limit must not be negative, and is \(limit)", file: file, line: line)
        let now = LoopClock.Instant.now
        return TaskSleeps.sleeping(limit: limit).map {
            SleepingTask(
                name: $0.name, deadline: $0.deadline, remaining: now.duration(to: $0.deadline))
        }
    }

    /// Calls `body` when a task's step, or another closure, keeps a thread of the worker pool for
    /// longer than `limit`: once while it does, and once more when it has ended. It blocks, or
    /// computes; the report has its place in the program.
    ///
    /// Four times in each `limit` a thread of the watchdog's own reads what the workers run.
    ///
    /// **Thread:** any. `body` runs on the watchdog's thread.
    /// - Returns: The watchdog. Dropping it does nothing.
    /// - Throws: `SwivelError` if the system refuses a thread, or if `limit` is less
    ///   than a millisecond.
    /// - Complexity: O(1), a thread.
    @preconcurrency
    @discardableResult
    public static func watchdog(
        after limit: Duration, _ body: @escaping @Sendable (Stall) -> Void
    ) throws(SwivelError) -> Watchdog {
        try WorkerPool.shared.watchdog(after: limit, body)
    }
}

/// A task that sleeps.
public struct SleepingTask: Hashable, Sendable, CustomStringConvertible {
    /// The name that the task was given, if any.
    public let name: String?
    /// When it wakes.
    public let deadline: LoopClock.Instant
    /// How long that is from the call that returned this.
    public let remaining: Duration

    /// Such as `"refresh" sleeps for 1.5 seconds`.
    public var description: String {
        "\(name.map { "\"\($0)\"" } ?? "a task") sleeps for \(remaining)"
    }
}
