// SPDX-License-Identifier: Apache-2.0
public import Dispatch
internal import Foundation
public import SwivelCore

extension ExecutionContext where Self == DispatchQueue {
    /// The main queue, which is the main actor's.
    ///
    /// As a context it runs closures through a lane of Swivel's own, in order. A wait inside one of
    /// the queue's blocks runs the lane; a block that was submitted in another way runs after the
    /// wait.
    ///
    /// On Linux a program drives its main queue by `Loop.main.run()`, `RunLoop.main.run()`,
    /// `dispatchMain()` or an `async` main function. If not, its closures run only in waits.
    ///
    /// **Thread:** any.
    public static var main: DispatchQueue { DispatchQueue.main }

    /// The global concurrent queue for work that a person is waiting for, such as an animation.
    public static var userInteractive: DispatchQueue { .global(qos: .userInteractive) }

    /// The global concurrent queue for work that a person has asked for.
    public static var userInitiated: DispatchQueue { .global(qos: .userInitiated) }

    /// The global concurrent queue for long work for which no user waits.
    public static var utility: DispatchQueue { .global(qos: .utility) }

    /// Returns the serial queue with the label `name`. Equal names give the same queue, which lives
    /// as long as the process.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) on average. The first call with a name makes the queue.
    public static func serial(_ name: String) -> DispatchQueue {
        namedQueues.withLock { queues in
            if let known = queues[name] { return known }
            let queue = DispatchQueue(label: name)
            QueueIdentity.mark(queue, isSerial: true)
            queues[name] = queue
            return queue
        }
    }
}

/// The queues of ``ExecutionContext/serial(_:)``. None is ever released, so that a name always
/// stands for the same order of execution.
private let namedQueues = Lock<[String: DispatchQueue]>.ofProcess { _ in [:] }

/// Returns the context for work that is given none: the one on which the caller is.
///
/// On a loop it is that loop. On the main queue, if something drives it, it is the main queue.
/// Everywhere else it is ``ExecutionContext/background``. A key identifies the main queue, not the
/// thread: inside `queue.sync { }` on the main thread the caller is not on the main queue.
///
/// On Apple platforms the main queue counts as driven. Elsewhere nothing drives it unless the
/// program does: it counts as driven where ``Loop/main`` runs it, inside the main run loop, and
/// after `dispatchMain()`, which moves it to other threads. (``Loop/main``'s own closures are on
/// the loop.)
///
/// **Thread:** any.
/// - Returns: A loop, the main queue or the worker pool; never `.immediate`.
/// - Complexity: O(1).
public func defaultContext() -> any ExecutionContext {
    if let loop = Loop.current { return loop }
    if let world = Simulated.world {
        return world.isCurrent(.main) ? DispatchQueue.main : WorkerPool.shared
    }
    return QueueIdentity.isMainCurrent && mainQueueIsDriven ? DispatchQueue.main : WorkerPool.shared
}

/// Whether something runs the main queue's blocks. **Thread:** the main queue's.
private var mainQueueIsDriven: Bool {
    #if canImport(Darwin)
    true
    #else
    Loop.hosting != nil || !Thread.isMainThread || RunLoop.main.currentMode != nil
    #endif
}
