// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a job still waits for: work on its way to a context, or one of the functions of its body.
/// If it is released unused the job hears of the loss.
final class JobTicket<Value: Sendable, Failure: Error>: Sendable {
    private let job: Job<Value, Failure>
    private let isUsed = Atomic(false)
    private let onLoss: @Sendable (Job<Value, Failure>) -> Void

    init(_ job: Job<Value, Failure>, onLoss: @escaping @Sendable (Job<Value, Failure>) -> Void) {
        self.job = job
        self.onLoss = onLoss
    }

    /// What was waited for has come: nothing is lost any more. Returns the job.
    @discardableResult
    func use() -> Job<Value, Failure> {
        isUsed.store(true, ordering: .relaxed)
        return job
    }

    deinit {
        if !isUsed.load(ordering: .relaxed) {
            onLoss(job)
        }
    }
}
