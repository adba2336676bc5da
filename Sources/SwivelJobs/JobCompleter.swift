// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The completer to end a job. The functions that end it share one, and neither the job nor its `report`
/// holds it: released unfulfilled, it abandons the job.
@usableFromInline
final class JobCompleter: Sendable {
    private let job: any AnyJob
    private let isCalled = Atomic(false)

    @usableFromInline
    init(_ job: any AnyJob) {
        self.job = job
    }

    /// Ends the job, unless it has ended.
    @usableFromInline
    func end(_ end: JobEnd) {
        // Relaxed: the reference count orders this before the release of the last reference.
        isCalled.store(true, ordering: .relaxed)
        job.end(end)
    }

    deinit {
        if !isCalled.load(ordering: .relaxed) { job.stop(.abandoned) }
    }
}
