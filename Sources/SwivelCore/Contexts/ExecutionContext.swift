// SPDX-License-Identifier: Apache-2.0

/// A place where closures run: a ``Loop``, ``WorkerPool``, a dispatch queue, or your own type.
///
/// Two requirements make a context; timers, `once`, `each` and all that the futures layer adds come
/// with them.
public protocol ExecutionContext: Sendable {
    /// Runs `work` here, soon. It never runs inside this call, except on
    /// ``ImmediateContext``.
    ///
    /// **Thread:** any.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Whether the caller is running on this context, and the context runs one closure at a time.
    ///
    /// A concurrent context returns `false`.
    var isCurrent: Bool { get }

    /// Arms a timer whose closure runs here.
    ///
    /// The default keeps the time on ``Loop/shared``, at the cost of a wheel node, and claims the
    /// timer when its closure starts here: a cancel is as absolute as on a loop. A repeating closure
    /// never overlaps itself: a slow context gets missed ticks, never a pile.
    ///
    /// **Thread:** any.
    func arm(_ request: TimerRequest) -> TimerHandle

    /// How a future's callbacks get here. The default passes each to ``execute(_:)``.
    ///
    /// **Thread:** any.
    var route: ContextRoute { get }
}

extension ExecutionContext {
    /// See ``ExecutionContext/arm(_:)``.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        HandedTimer.arm(request, on: self)
    }
}

extension ExecutionContext {
    /// As ``ExecutionContext/execute(_:)`` for what goes on with work that was accepted before, or is
    /// waited for: ``Loop/Configuration/maxPendingPosts`` does not refuse it.
    package func executeBeyondLimit(_ work: @escaping @Sendable () -> Void) {
        if let loop = self as? Loop {
            loop.executeBeyondLimit(work)
        } else {
            execute(work)
        }
    }
}

extension ExecutionContext {
    /// See ``ExecutionContext/route``.
    public var route: ContextRoute { .execute }
}
