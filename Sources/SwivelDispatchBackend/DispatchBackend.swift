// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore
public import SwivelDispatch

/// A dispatch queue whose timers are dispatch sources and nothing else: no loop of Swivel's takes
/// part, except in timers that wait for a `Date`.
///
/// It is there to be compared with. It has the interface of every context and the same guarantees, so
/// a program can run on Dispatch alone. A timer costs a dispatch source; a `DispatchQueue` that is
/// itself the context has its timers on `Loop.shared`'s wheel, which is cheaper.
///
/// Timers fire by their own deadlines. Dispatch decides the order of those that are due together.
///
/// **Thread:** any. Closures run on the queue, never inside a call.
public struct DispatchBackend: ExecutionContext, DispatchQueueContext {
    /// Where closures run.
    public let queue: DispatchQueue

    /// A context on `queue`. Two on one queue are the same context.
    ///
    /// - Parameter queue: Serial or concurrent.
    /// - Complexity: O(1), no allocation.
    public init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    /// Submits `work` to the queue.
    ///
    /// - Parameter work: Runs once, and is released as soon as it has returned.
    /// - Complexity: O(1), as `async(execute:)`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Whether the caller is running on the queue, and the queue is serial.
    public var isCurrent: Bool { queue.isCurrent }

    /// Arms a dispatch source whose handler runs the closure, on the queue.
    ///
    /// A timer without leeway is strict: Dispatch does not move it to save power. A one-shot that is
    /// due already is a block, in order with this thread's others. A cancel claims the timer against
    /// its closure's start on the queue, and releases the closure before it returns.
    ///
    /// - Parameter request: What the timer is to do.
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: As a dispatch source. The rest is O(1): an object, and two short locked sections.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        makeTimer(request)
    }
}
