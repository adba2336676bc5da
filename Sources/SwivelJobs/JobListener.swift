// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Who listens to a job's progress. Its calls never overlap and come in order, on any context.
final class JobListener: @unchecked Sendable {
    // because the lock of the job guards what changes.
    let number: Int
    let body: @Sendable (JobProgress) -> Void
    /// `nil`: the listener is called at once.
    let context: (any ExecutionContext)?
    let hearsAll: Bool

    /// Whether it is to hear the job's latest progress.
    var isBehind = false
    /// What it has still to hear if it hears all.
    var backlog = JobQueue<JobProgress>()
    /// Whether it is being called on its context.
    var isRunning = false
    /// How many of its visits to a concurrent context have found it running.
    var missed = 0

    init(
        _ number: Int, on context: any ExecutionContext, hearsAll: Bool,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) {
        self.number = number
        self.body = body
        self.context = context.route == .immediate ? nil : context
        self.hearsAll = hearsAll
    }
}
