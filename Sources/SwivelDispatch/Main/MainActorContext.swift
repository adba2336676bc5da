// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// The main queue as the target of waits for the main actor's own work: executor jobs, which the
/// runtime submits without Swivel's lane.
package struct MainActorContext: ExecutionContext {
    /// Makes the context. All are equal.
    package init() {}

    /// Submits `work` to the main queue as the runtime submits jobs.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }

    /// Whether the caller is on the main queue.
    package var isCurrent: Bool { QueueIdentity.isMainCurrent }
}
