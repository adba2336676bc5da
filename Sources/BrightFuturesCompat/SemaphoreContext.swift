// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

/// Runs each closure while it holds a semaphore, so that closures exclude all other users of that
/// semaphore.
///
/// Closures of one context run one at a time, in order, on a thread of Dispatch that blocks while
/// others hold the semaphore. None runs inside the call that submits it.
public struct SemaphoreContext: ExecutionContext {
    private let semaphore: DispatchSemaphore
    private let queue = DispatchQueue(label: "swivel.semaphore")

    /// Makes a context for what `semaphore` protects. Its value is 1, so that one closure holds it
    /// at a time. Other users must give it back: the context waits until they do. **Thread:** any.
    /// - Complexity: O(1); makes a dispatch queue.
    public init(_ semaphore: DispatchSemaphore) { self.semaphore = semaphore }

    /// Takes the semaphore, runs `work`, releases it and gives the semaphore back.
    ///
    /// **Thread:** any. `work` runs later, on a thread of Dispatch.
    /// - Complexity: O(1), as `DispatchQueue.async`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async { [semaphore] in
            semaphore.wait()
            defer { semaphore.signal() }
            work()
        }
    }

    /// Whether the caller is inside one of this context's closures. **Thread:** any.
    public var isCurrent: Bool { queue.isCurrent }
}
