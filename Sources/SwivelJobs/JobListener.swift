// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that gets a job's progress. Its calls come in order and never overlap, on any context.
final class JobListener: @unchecked Sendable {
    // because the lock of the job guards what changes.
    var number = 0
    let body: @Sendable (JobProgress) -> Void
    let context: any ExecutionContext
    /// Whether it is called at once.
    let isImmediate: Bool
    let hearsAll: Bool

    /// The reports that it has yet to get: all, or the latest. The lock makes the accesses
    /// exclusive; a check of the runtime's would cost more than the queue.
    @exclusivity(unchecked) private var pending = JobQueue<JobProgress>()
    /// Whether it is being called on its context.
    var isRunning = false
    /// How many calls on a concurrent context have found it running.
    var missed = 0

    init(
        on context: any ExecutionContext, hearsAll: Bool,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) {
        self.body = body
        self.context = context
        isImmediate = context.isImmediate
        self.hearsAll = hearsAll
    }

    /// Adds a report to those that it is to get. Returns whether the listener is to be called for it,
    /// and the report that it replaces.
    func add(_ progress: JobProgress) -> (isDue: Bool, replaced: JobProgress?) {
        let replaced = hearsAll ? nil : pending.popFirst()
        pending.append(progress)
        return (replaced == nil, replaced)
    }

    /// Takes the next report that it is to get.
    func take() -> JobProgress? { pending.popFirst() }
}
