// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore

extension ExecutionContext where Self == DispatchQueue {
    /// The main queue, which is the main actor's.
    ///
    /// As a context it runs closures through a lane of Swivel's own, those of one thread in order. A
    /// wait inside one of the queue's blocks runs the lane, where a block that was submitted in another
    /// way comes after the wait.
    ///
    /// On Linux a program drives its main queue by `Loop.main.run()`, `RunLoop.main.run()`,
    /// `dispatchMain()` or an `async` main function; else its closures run in waits alone.
    public static var main: DispatchQueue { DispatchQueue.main }

    /// The global concurrent queue for work that a person is waiting for, such as an animation.
    public static var userInteractive: DispatchQueue { .global(qos: .userInteractive) }

    /// The global concurrent queue for work that a person has asked for.
    public static var userInitiated: DispatchQueue { .global(qos: .userInitiated) }

    /// The global concurrent queue for long work that nobody waits for.
    public static var utility: DispatchQueue { .global(qos: .utility) }

    /// The serial queue of this name: the same one for equal names, made at the first call.
    ///
    /// **Thread:** any.
    /// - Parameter name: Also the queue's label.
    /// - Returns: A queue that lives as long as the process.
    /// - Complexity: O(1) on average; the first call with a name makes the queue.
    public static func serial(_ name: String) -> DispatchQueue {
        NamedQueues.shared.queue(name)
    }
}

/// The queues of ``ExecutionContext/serial(_:)``. They are never dropped, so that a name stands for
/// one order of execution throughout.
private final class NamedQueues: Sendable {
    static var shared: NamedQueues { FirstUse.of(only) }
    private static let only = NamedQueues()

    private let queues = Lock<[String: DispatchQueue]>([:])

    func queue(_ name: String) -> DispatchQueue {
        queues.withLock { queues in
            if let known = queues[name] {
                return known
            }
            let queue = DispatchQueue(label: name)
            QueueIdentity.know(serial: queue)
            queues[name] = queue
            return queue
        }
    }
}
