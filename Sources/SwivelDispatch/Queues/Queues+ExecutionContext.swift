// SPDX-License-Identifier: Apache-2.0
internal import CSwivelMain
public import Dispatch
public import Foundation
public import SwivelCore

/// A dispatch queue is a context. Its timers are nodes of ``Loop/shared``'s wheel, not dispatch
/// sources.
extension DispatchQueue: ExecutionContext {
    /// Submits `work` to the queue, in order with other submissions. Work for the main queue goes
    /// through Swivel's lane: see ``ExecutionContext/main``.
    ///
    /// **Thread:** any. `work` runs on the queue, never inside this call, and is released as soon
    /// as it has returned.
    /// - Complexity: O(1), as `async(execute:)`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        if Simulated.takes(work, on: QueueIdentity.of(self).place) { return }
        if QueueIdentity.isMain(self) {
            // The lane in front of the main queue: see main_queue.c.
            swivel_main_post(Work.words(Tracking.track(work))) { Work.take($0).run() }
        } else {
            async(execute: Tracking.track(work))
        }
    }

    /// Whether the caller is running on this queue, and the queue is serial.
    ///
    /// Also true on a queue whose chain of targets holds this one, because this queue then runs
    /// nothing else. False on concurrent and global queues, and on concurrent queues with a serial
    /// target. Inside `other.sync { }` the current queue is `other` alone, as for Dispatch itself.
    /// Outside of any block the main thread counts as being on the main queue.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1). The first call marks the queue with a key of its own.
    public var isCurrent: Bool { QueueIdentity.of(self).isCurrent }
}

extension DispatchQueue: ContextAlias {
    package var identity: ContextIdentity { QueueIdentity.context(of: self) }
}

/// An operation queue is a context. Its timers are nodes of ``Loop/shared``'s wheel.
extension OperationQueue: ExecutionContext {
    /// Adds `work` to the queue as an operation.
    ///
    /// An operation that is cancelled before it starts releases `work`. A timer whose work is
    /// released ends: `cancelAllOperations()` ends each repeat that has a tick in the queue at that
    /// moment, and no other.
    ///
    /// **Thread:** any. `work` runs when the queue decides, never inside this call.
    /// - Complexity: O(1), as `addOperation(_:)`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        if Simulated.takes(work, on: place) { return }
        addOperation(Tracking.track(work))
    }

    /// Whether the caller is inside one of this queue's operations, and the queue runs one at a
    /// time.
    ///
    /// A queue runs one at a time while `maxConcurrentOperationCount` is 1. A queue that is serial
    /// only because of its `underlyingQueue` counts as concurrent.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var isCurrent: Bool {
        if let world = Simulated.world { return world.isCurrent(place) }
        return maxConcurrentOperationCount == 1 && OperationQueue.current === self
    }

    /// The queue, in a simulated world.
    private var place: SimulatedPlace {
        maxConcurrentOperationCount == 1 ? .serial(ObjectIdentifier(self)) : .pool
    }
}

/// A context that submits to a queue directly: to the main queue too, past Swivel's lane.
package protocol DispatchQueueContext: ExecutionContext {
    /// Where closures run.
    var queue: DispatchQueue { get }
}

/// The main queue as the target of waits for the main actor's own work: executor jobs, which the
/// runtime submits without Swivel's lane.
package struct MainActorContext: ExecutionContext {
    package init() {}

    package func execute(_ work: @escaping @Sendable () -> Void) {
        if Simulated.takes(work, on: .main) { return }
        DispatchQueue.main.async(execute: work)
    }

    package var isCurrent: Bool { QueueIdentity.isMainCurrent }
}
