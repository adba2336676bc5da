// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
public import SwivelCore

/// The context for work that was given none, by where the call is written.
///
/// On a loop it is that loop. On the main queue, where something drives it, it is the main queue.
/// Everywhere else it is ``ExecutionContext/background``. The main queue is known by its key, not by
/// the thread: inside `queue.sync { }` on the main thread the caller is not on it.
///
/// On Apple platforms the main queue counts as driven. Elsewhere nothing drives it unless the program
/// says so, and work that waited for it would wait for ever: it counts as driven where
/// ``Loop/main`` runs it, inside the main run loop, and after `dispatchMain()`, which moves it to
/// other threads. (In ``Loop/main``'s own closures the loop is the answer.)
///
/// **Thread:** any.
/// - Returns: A loop, the main queue or the worker pool; never `.immediate`.
public func defaultContext() -> any ExecutionContext {
    if let loop = Loop.current {
        return loop
    }
    if QueueIdentity.isMainCurrent && mainQueueIsDriven {
        return DispatchQueue.main
    }
    return WorkerPool.shared
}

/// Whether something runs the main queue's blocks. Asked on the main queue only.
private var mainQueueIsDriven: Bool {
    #if canImport(Darwin)
    true
    #else
    Loop.hosting != nil || !Thread.isMainThread || RunLoop.main.currentMode != nil
    #endif
}
