// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The duty to end a job. The functions that end it share one, and neither the job nor its `report`
/// holds it: released unfulfilled, it abandons the job.
@usableFromInline
final class JobDuty: Sendable {
    @usableFromInline let job: AnyJob
    private let isFulfilled = Atomic(false)

    @usableFromInline
    init(_ job: AnyJob) {
        self.job = job
    }

    /// Ends the job, unless it has ended.
    @inlinable
    func end<Value, Failure>(_ result: Result<Value, Failure>) {
        fulfil()
        job.end(result)
    }

    @usableFromInline
    func fulfil() {
        // Relaxed: the reference count orders this before the release of the last reference.
        isFulfilled.store(true, ordering: .relaxed)
    }

    deinit {
        guard !isFulfilled.load(ordering: .relaxed) else { return }
        let job = job
        job.inItsWorklist { job.stop(.abandoned, in: $0) }
    }
}
