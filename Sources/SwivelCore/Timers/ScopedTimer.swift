// SPDX-License-Identifier: Apache-2.0

/// A timer that is cancelled when this value goes out of scope.
///
/// **Thread:** any.
public struct ScopedTimer: ~Copyable, Sendable {
    /// The timer.
    public let handle: TimerHandle

    /// Binds the life of the timer of `handle` to this value's.
    ///
    /// - Complexity: O(1).
    public init(_ handle: TimerHandle) {
        self.handle = handle
    }

    deinit {
        handle.cancel()
    }

    /// See ``TimerHandle/cancel()``.
    @discardableResult
    public func cancel() -> CancelResult { handle.cancel() }

    /// See ``TimerHandle/isPending``.
    public var isPending: Bool { handle.isPending }

    /// Returns the handle, and lets the timer go on without this value.
    ///
    /// - Complexity: O(1).
    public consuming func release() -> TimerHandle {
        let handle = self.handle
        discard self
        return handle
    }
}
