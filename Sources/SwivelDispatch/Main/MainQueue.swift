// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Dispatch
internal import SwivelCore

/// The state of the main queue, as far as a wait can find it out.
enum MainQueue {
    /// Whether the caller is inside one of the main queue's blocks, which keeps all others waiting.
    ///
    /// The main thread counts as being on the main queue outside of blocks too. Only running the main
    /// queue up to a mark shows the difference: inside a block the mark is not reached.
    ///
    /// **Thread:** any. On the main thread outside of blocks it runs what waits on the main queue. False
    /// in a loop's closures: a wait there pumps the loop.
    static var isInsideBlock: Bool {
        guard Loop.current == nil, let source = swivel__source_here() else { return false }
        let mark = Latch()
        DispatchQueue.main.async { mark.signal() }
        _ = source.pointee.serve(true)
        return !mark.isOpen
    }
}

/// The main queue as the target of waits for the main actor's own work: executor jobs, which the
/// runtime submits without Swivel's lane.
package struct MainActorContext: ExecutionContext {
    package init() {}

    package func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }

    package var isCurrent: Bool { QueueIdentity.isMainCurrent }
}
