// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import SwivelCore

/// An operation queue is a context. Its timers are nodes of ``Loop/shared``'s wheel.
extension OperationQueue: ExecutionContext {
    /// Adds `work` to the queue as an operation.
    ///
    /// An operation that is cancelled before it starts releases `work`. A timer whose work is released
    /// ends: `cancelAllOperations()` ends each repeat that has a tick in the queue at that moment, and
    /// no other.
    ///
    /// **Thread:** any. `work` runs when the queue decides, never inside this call.
    /// - Parameter work: What runs.
    /// - Complexity: O(1), as `addOperation(_:)`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        addOperation(Tracking.track(work))
    }

    /// Whether the caller is inside one of this queue's operations, and the queue runs one at a time.
    ///
    /// A queue runs one at a time while `maxConcurrentOperationCount` is 1. A queue that is serial only
    /// because of its `underlyingQueue` counts as concurrent.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var isCurrent: Bool {
        maxConcurrentOperationCount == 1 && OperationQueue.current === self
    }
}
