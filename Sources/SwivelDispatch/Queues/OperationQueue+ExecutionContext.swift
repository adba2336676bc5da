// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import SwivelCore

/// An operation queue is a context. Its timers are nodes of ``Loop/shared``'s wheel.
extension OperationQueue: ExecutionContext {
    /// Adds `work` to the queue as an operation.
    ///
    /// **Thread:** any. `work` runs as the queue decides, never inside this call. An operation that
    /// is cancelled before it starts releases `work`; a timer whose work is released ends.
    /// - Parameter work: What runs.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        addOperation(Errands.following(work))
    }

    /// Whether the caller is inside one of this queue's operations, and the queue runs one at a time.
    ///
    /// One at a time is what `maxConcurrentOperationCount == 1` says at this moment; a queue that is
    /// serial only because its `underlyingQueue` is counts as concurrent.
    ///
    /// **Thread:** any.
    public var isCurrent: Bool {
        maxConcurrentOperationCount == 1 && OperationQueue.current === self
    }
}
