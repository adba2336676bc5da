// SPDX-License-Identifier: Apache-2.0

/// A place where closures run: a ``Loop``, a ``WorkerPool``, a dispatch queue, or your own type.
///
/// Implement ``execute(_:)`` and ``isCurrent``; timers, `once`, `each` and everything that the
/// futures layer adds come with them. ``arm(_:)`` has a default and is for Swivel's own contexts.
///
/// **Thread:** any.
public protocol ExecutionContext: Sendable {
    /// Runs `work` here, soon, and once, never inside this call, except on ``ImmediateContext``.
    /// The context releases it when it has returned, or at once if it cannot run it: that counts as
    /// a cancel.
    ///
    /// - Complexity: O(1) on Swivel's own contexts.
    @preconcurrency
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Whether the caller is running on this context, and the context runs one closure at a time. A
    /// concurrent context returns `false`.
    var isCurrent: Bool { get }

    /// Arms a timer whose closure runs here. Only Swivel's contexts implement it.
    ///
    /// The default keeps the time on ``Loop/shared`` and claims the timer when its closure starts
    /// here: a cancel is as absolute as on a loop. A repeating closure never overlaps itself: a
    /// slow context gets missed ticks, never a pile. Only Swivel makes a `request`; pass it on, or
    /// leave the requirement to its default.
    ///
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: O(1). An object and a wheel node, and the closure's way to the context.
    func arm(_ request: TimerRequest) -> TimerHandle
}

extension ExecutionContext {
    /// See ``ExecutionContext/arm(_:)``.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        DispatchedTimer.arm(request, on: self)
    }

    /// Like ``ExecutionContext/execute(_:)``, for work that continues accepted work or that a
    /// caller waits for: ``Loop/Configuration/maxPendingPosts`` does not refuse it.
    package func executeBeyondLimit(_ work: @escaping @Sendable () -> Void) {
        if let loop = self as? Loop {
            loop.executeBeyondLimit(work)
        } else {
            execute(work)
        }
    }
}

/// Runs closures at once, on the caller's stack. Its timers run on the thread of ``Loop/shared``.
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
    public func execute(_ work: @escaping @Sendable () -> Void) { work() }

    /// Always false: it is wherever its caller is.
    public var isCurrent: Bool { false }
}

extension ExecutionContext where Self == ImmediateContext {
    /// Runs closures at once, on the caller's stack.
    public static var immediate: ImmediateContext { ImmediateContext() }
}
