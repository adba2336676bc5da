// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension ExecutionContext {
    /// Makes a job that only waits: `loop.delay(.seconds(1)).then(job)` delays another job.
    ///
    /// Cancelling the job frees its timer. A loop that is shut down cancels the job.
    ///
    /// **Thread:** any. The job succeeds on this context.
    /// - Parameter delay: From the execution. Zero or less: in the next turn.
    /// - Returns: A job that succeeds here `delay` after it is executed.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    public func delay(_ delay: Duration) -> Job<Void, Never> {
        self.delay { delay }
    }

    /// As above, for a delay that is known only at the execution.
    package func delay(_ delay: @escaping @Sendable () -> Duration) -> Job<Void, Never> {
        Job { job, succeed, _, _ in
            // A loop that takes nothing releases the timer's closure. The notice keeps `succeed`
            // until the job is cancelled: released before that, it would abandon the job.
            let notice = DropNotice((job, succeed)) { job, _ in job.cancel() }
            let timer = schedule(after: delay()) {
                let (_, succeed) = notice.dismiss()
                succeed(())
            }
            job.onCancel { timer.cancel() }
            job.noteWait(for: self)
        }
    }
}
