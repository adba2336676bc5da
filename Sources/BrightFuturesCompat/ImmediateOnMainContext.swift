// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import Swivel
package import SwivelCore

/// Runs closures at once if the caller is on the main queue, and posts them to it from elsewhere. A
/// closure that runs at once overtakes those that were posted.
public struct ImmediateOnMainContext: ExecutionContext, ContextWrapper {
    /// Makes the context. All are equal. **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public init() {}

    /// Runs `work` on the main queue: before this returns if the caller is on it, later otherwise.
    /// Releases it then. **Thread:** any.
    /// - Complexity: O(1).
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        if isCurrent {
            work()
        } else {
            DispatchQueue.main.execute(work)
        }
    }

    /// Whether the caller is on the main queue. **Thread:** any.
    public var isCurrent: Bool { DispatchQueue.main.isCurrent }

    package var wrapped: (any ExecutionContext)? { DispatchQueue.main }
}

extension ExecutionContext where Self == ImmediateOnMainContext {
    /// Runs closures at once on the main queue, and posts them to it from elsewhere.
    public static var immediateOnMain: ImmediateOnMainContext { ImmediateOnMainContext() }
}
