// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
public import SwivelCore

/// Returns the context for work that is given none: the one on which the caller is.
///
/// On a loop it is that loop. On the main queue, if something drives it, it is the main queue.
/// Everywhere else it is ``ExecutionContext/background``. A key identifies the main queue, not the thread:
/// inside `queue.sync { }` on the main thread the caller is not on the main queue.
///
/// On Apple platforms the main queue counts as driven. Elsewhere nothing drives it unless the program
/// does, and its work would never run. There it counts as driven where ``Loop/main`` runs it, inside
/// the main run loop, and after `dispatchMain()`, which moves it to other threads. (In ``Loop/main``'s
/// own closures the answer is the loop.)
///
/// **Thread:** any.
/// - Returns: A loop, the main queue or the worker pool; never `.immediate`.
/// - Complexity: O(1).
public func defaultContext() -> any ExecutionContext {
    if let loop = Loop.current {
        return loop
    }
    if QueueIdentity.isMainCurrent && mainQueueIsDriven {
        return DispatchQueue.main
    }
    return WorkerPool.shared
}

/// Whether something runs the main queue's blocks. **Thread:** the main queue's.
private var mainQueueIsDriven: Bool {
    #if canImport(Darwin)
    true
    #else
    Loop.hosting != nil || !Thread.isMainThread || RunLoop.main.currentMode != nil
    #endif
}
