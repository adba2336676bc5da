// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel
internal import SwivelCompatSupport

extension DispatchQueue {
    /// A job that succeeds on this queue at `deadline`, or at its execution if that is later.
    ///
    /// See `delay(_:)`. `.distantFuture` never comes.
    ///
    /// **Thread:** any. The job succeeds on this queue.
    /// - Parameter deadline: On Dispatch's monotonic clock.
    /// - Returns: The job. Its timer starts when it is executed.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    @available(*, deprecated, message: "use 'delay(_:)'")
    public func asyncAfter(deadline: DispatchTime) -> Job<Void, Never> {
        delay { deadline.timeLeft }
    }
}
