// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension ExecutionContext {
    /// The job that succeeds here `delay` after it is executed. Cancelled, its timer is free again.
    ///
    /// `loop.delay(.seconds(1)).then(job)` delays a job. A context that takes nothing any more cancels
    /// it.
    /// - Parameter delay: Zero or less: in the next turn.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    public func delay(_ delay: Duration) -> Job<Void, Never> {
        self.delay { delay }
    }

    /// The job that succeeds here when the time has passed that `delay` returns at its execution.
    package func delay(_ delay: @escaping @Sendable () -> Duration) -> Job<Void, Never> {
        Job { job, succeed, _, _ in
            // A loop that takes nothing releases the timer's closure. The notice keeps `succeed` until
            // the job is cancelled: released before that, it would abandon the job.
            let notice = DropNotice((job, succeed)) { job, _ in job.cancel() }
            let timer = schedule(after: delay()) {
                let (_, succeed) = notice.dismiss()
                succeed(())
            }
            job.onCancel { timer.cancel() }
        }
    }
}
