// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore
internal import SwivelDispatch

extension ExecutionContext {
    /// The job that succeeds here `delay` after it is executed. Cancelled, its timer is free again.
    ///
    /// `loop.delay(.seconds(1)).then(job)` delays a job. A context that takes nothing any more cancels
    /// it.
    /// - Parameter delay: Zero or less: in the next turn.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    public func delay(_ delay: Duration) -> Job<Void, Never> {
        timed { delay }
    }

    /// The job that succeeds here when the time has passed that `delay` returns at its execution.
    fileprivate func timed(_ delay: @escaping @Sendable () -> Duration) -> Job<Void, Never> {
        Job { job, succeed, _, _ in
            // A loop that takes nothing releases the timer's closure, and with it `succeed`: held until
            // then, that function abandons nothing.
            let ticket = JobTicket(job) { [succeed] job in
                withExtendedLifetime(succeed) { job.cancel() }
            }
            let timer = schedule(after: delay()) {
                ticket.use()
                succeed(())
            }
            job.onCancel { timer.cancel() }
        }
    }
}

extension DispatchQueue {
    /// The job that succeeds on this queue at `deadline`, or as soon as it is executed after that.
    ///
    /// See `delay(_:)`. `.distantFuture` never comes.
    public func asyncAfter(deadline: DispatchTime) -> Job<Void, Never> {
        timed {
            let now = DispatchTime.now().uptimeNanoseconds
            let then = deadline.uptimeNanoseconds
            return then > now ? .nanoseconds(Int64(clamping: then - now)) : .zero
        }
    }
}
