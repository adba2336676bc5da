// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// The main queue as a target of waits for work that is the main actor's own: jobs of tasks, which
/// come by the runtime's way and not through Swivel's lane.
package struct MainActorContext: ExecutionContext {
    /// The context; all are the same.
    package init() {}

    /// Submits `work` to the main queue as the runtime submits jobs.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }

    /// Whether the caller is on the main queue.
    package var isCurrent: Bool { QueueIdentity.isMainCurrent }
}
