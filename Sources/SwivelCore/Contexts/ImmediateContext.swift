// SPDX-License-Identifier: Apache-2.0

/// Runs closures at once, on the caller's stack. Its timers run on ``Loop/shared``'s thread.
///
/// **Thread:** any.
public struct ImmediateContext: ExecutionContext {
    /// The context; all are the same.
    ///
    /// - Complexity: O(1) without allocation.
    public init() {}

    /// Runs `work` before it returns.
    ///
    /// - Complexity: That of `work`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        work()
    }

    /// Always false: it is wherever its caller is.
    public var isCurrent: Bool { false }
}

extension ExecutionContext where Self == ImmediateContext {
    /// Runs closures at once, on the caller's stack.
    public static var immediate: ImmediateContext { ImmediateContext() }
}
