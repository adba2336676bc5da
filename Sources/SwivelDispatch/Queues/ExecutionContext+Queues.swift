// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore

extension ExecutionContext where Self == DispatchQueue {
    /// The main queue, which is the main actor's.
    ///
    /// As a context it runs closures through a lane of Swivel's own, in order. A wait inside one of the
    /// queue's blocks runs the lane. A block that was submitted in another way runs after the wait.
    ///
    /// On Linux a program drives its main queue by `Loop.main.run()`, `RunLoop.main.run()`,
    /// `dispatchMain()` or an `async` main function. Without any of these its closures run only in
    /// waits.
    ///
    /// **Thread:** any.
    public static var main: DispatchQueue { DispatchQueue.main }

    /// The global concurrent queue for work that a person is waiting for, such as an animation.
    public static var userInteractive: DispatchQueue { .global(qos: .userInteractive) }

    /// The global concurrent queue for work that a person has asked for.
    public static var userInitiated: DispatchQueue { .global(qos: .userInitiated) }

    /// The global concurrent queue for long work for which no user waits.
    public static var utility: DispatchQueue { .global(qos: .utility) }

    /// Returns the serial queue of this name. Equal names give the same queue.
    ///
    /// **Thread:** any.
    /// - Parameter name: Also the queue's label.
    /// - Returns: A queue that lives as long as the process.
    /// - Complexity: O(1) on average. The first call with a name makes the queue.
    public static func serial(_ name: String) -> DispatchQueue {
        namedQueues.withLock { queues in
            if let known = queues[name] {
                return known
            }
            let queue = DispatchQueue(label: name)
            QueueIdentity.mark(serial: queue)
            queues[name] = queue
            return queue
        }
    }
}

/// The queues of ``ExecutionContext/serial(_:)``. None is ever released, so that a name always stands
/// for the same order of execution.
private let namedQueues = Lock<[String: DispatchQueue]>.ofProcess { _ in [:] }
