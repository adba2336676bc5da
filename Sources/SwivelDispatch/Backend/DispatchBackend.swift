// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore

/// A dispatch queue whose timers are dispatch sources and nothing else: no loop of Swivel's takes
/// part.
///
/// It has the face of every context and the same guarantees, so that a program can be run on Dispatch
/// alone, and compared. A timer costs a dispatch source; a `DispatchQueue` that is itself used as the
/// context has its timers on ``Loop/shared``'s wheel, which is the cheaper choice.
///
/// Timers fire by their own deadlines. The order in which Dispatch fires those that are due together
/// is its own.
public struct DispatchBackend: ExecutionContext {
    /// Where closures run.
    public let queue: DispatchQueue

    /// A context on `queue`, which may be serial or concurrent. Two on one queue are the same
    /// context.
    public init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    /// Submits `work` to the queue.
    ///
    /// **Thread:** any. `work` runs on the queue, never inside this call.
    /// - Parameter work: What runs; it is released as soon as it has returned.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Whether the caller is running on the queue, and the queue is serial.
    ///
    /// **Thread:** any. As for the queue itself.
    public var isCurrent: Bool { queue.isCurrent }

    /// Arms a dispatch source whose handler runs the closure, on the queue.
    ///
    /// A timer without leeway is strict: Dispatch does not move it to save power. A one-shot that is
    /// due already is a block, in order with this thread's others. A cancel claims the timer against
    /// its closure's start on the queue, and releases the closure before it returns.
    ///
    /// **Thread:** any.
    /// - Parameter request: What the timer is to do. An interval that is not above zero traps.
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: As a dispatch source; the rest is O(1), two short locked sections.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        DispatchTimers.shared.arm(request, on: queue)
    }
}
