// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Runs closures at once where the caller is on the main queue, and posts them to it from elsewhere.
///
/// A closure that runs at once overtakes those that were posted.
public struct ImmediateOnMainContext: ExecutionContext {
    /// The context; all are the same.
    public init() {}

    /// Runs `work` on the main queue: before this returns, if the caller is there.
    ///
    /// **Thread:** any.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        if isCurrent {
            work()
        } else {
            MainLane.shared.post(work)
        }
    }

    /// Whether the caller is on the main queue.
    public var isCurrent: Bool { QueueIdentity.isMainCurrent }
}

extension ExecutionContext where Self == ImmediateOnMainContext {
    /// Runs closures at once on the main queue, and posts them to it from elsewhere.
    public static var immediateOnMain: ImmediateOnMainContext { ImmediateOnMainContext() }
}
