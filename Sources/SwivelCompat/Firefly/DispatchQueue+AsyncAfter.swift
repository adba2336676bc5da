// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

extension DispatchQueue {
    /// The job that succeeds on this queue at `deadline`, or as soon as it is executed after that.
    ///
    /// See `delay(_:)`. `.distantFuture` never comes.
    ///
    /// **Thread:** any.
    @available(*, deprecated, message: "use 'delay(_:)'")
    public func asyncAfter(deadline: DispatchTime) -> Job<Void, Never> {
        delay {
            let now = DispatchTime.now().uptimeNanoseconds
            let then = deadline.uptimeNanoseconds
            return then > now ? .nanoseconds(Int64(clamping: then - now)) : .zero
        }
    }
}
