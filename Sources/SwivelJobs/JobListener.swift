// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that gets a job's progress. Its calls come in order and never overlap, on any context.
final class JobListener: @unchecked Sendable {
    // because the lock of the job guards what changes.
    var number = 0
    let body: @Sendable (JobProgress) -> Void
    /// `nil`: the listener is called at once.
    let context: (any ExecutionContext)?
    let hearsAll: Bool

    /// The report that it has yet to get, if it gets the latest.
    var latest: JobProgress?
    /// The reports that it has yet to get, if it gets all.
    var backlog = JobQueue<JobProgress>()
    /// Whether it is being called on its context.
    var isRunning = false
    /// How many calls on a concurrent context have found it running.
    var missed = 0

    init(
        on context: any ExecutionContext, hearsAll: Bool,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) {
        self.body = body
        self.context = context.route.word == ContextRoute.immediate.word ? nil : context
        self.hearsAll = hearsAll
    }

    /// Takes the next report that it is to get.
    func take() -> JobProgress? { hearsAll ? backlog.popFirst() : latest.take() }
}
