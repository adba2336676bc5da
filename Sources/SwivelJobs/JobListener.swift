// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that gets a job's progress. Its calls come in order and never overlap, on any context.
final class JobListener: @unchecked Sendable {
    // because the lock of the job guards what changes.
    let number: Int
    let body: @Sendable (JobProgress) -> Void
    /// `nil`: the listener is called at once.
    let context: (any ExecutionContext)?
    let hearsAll: Bool

    /// Whether it has yet to get the job's latest progress.
    var isBehind = false
    /// The reports that it has yet to get, if it gets all.
    var backlog = JobQueue<JobProgress>()
    /// Whether it is being called on its context.
    var isRunning = false
    /// How many calls on a concurrent context have found it running.
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
