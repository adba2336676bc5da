// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore

/// Runs closures while it holds a semaphore: mutual exclusion with all others who use that semaphore.
///
/// Closures of one context run one at a time, in order, on threads of Dispatch, one of which blocks
/// while the semaphore is held elsewhere. None runs inside the call that submits it.
public struct SemaphoreContext: ExecutionContext {
    private let semaphore: DispatchSemaphore
    private let queue = DispatchQueue(label: "swivel.semaphore")

    /// A context for what `semaphore` protects.
    ///
    /// - Parameter semaphore: Held by one closure at a time, if its value is 1. Whoever else takes it
    ///   must give it back: the context waits for as long as that takes.
    public init(_ semaphore: DispatchSemaphore) {
        self.semaphore = semaphore
        QueueIdentity.know(serial: queue)
    }

    /// Runs `work` when the semaphore was taken, and gives it back after.
    ///
    /// **Thread:** any.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async { [semaphore] in
            semaphore.wait()
            defer { semaphore.signal() }
            work()
        }
    }

    /// Whether the caller is inside one of this context's closures.
    public var isCurrent: Bool { queue.isCurrent }
}
