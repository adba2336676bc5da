// SPDX-License-Identifier: Apache-2.0

/// Many requests, one run: a debounce with a handle. A ``Debouncer`` passes a value to the run.
///
/// Each ``call()`` moves the run to `after` from now. With `maxWait`, a run starts no later than
/// that after the first call of a series, if its context is not itself held up. A run that comes
/// late on its context, with calls in between, is put off until `after` since the last one, but not
/// past the limit. ``ExecutionContext/once(_:after:maxWait:leeway:label:_:)`` does the same without
/// an object.
///
/// Releasing the coalescer does nothing: a pending run happens at its time. ``cancel()`` drops it,
/// and so does the loop's shutdown, which counts it.
///
/// **Thread:** any.
public final class Coalescer: Sendable {
    /// Calls within this many nanoseconds, and within a thousandth of the delay, count as one. So
    /// most calls of a busy program only read a word.
    private static let longestGrain: UInt64 = 50_000

    private let core: CoalescerCore
    /// Keeps the time.
    private let loop: Loop

    /// A coalescer without a pending run. `work` runs on `context`, and is released with the
    /// coalescer, or after the run that is pending then.
    ///
    /// On a loop a call costs a few nanoseconds; other contexts keep their time on ``Loop/shared``.
    /// On a real loop later calls of a series may add a thousandth of the `delay`, and at most 50
    /// µs. `maxWait` has no limit if it is `nil`. The `label` names the closure to a ``Watchdog``
    /// and in ``Loop/pending(limit:file:line:)``.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(
        on context: some ExecutionContext, after delay: Duration, maxWait: Duration? = nil,
        label: StaticString = "Coalescer", _ work: @escaping @Sendable () -> Void
    ) {
        let nanoseconds = delay.nanosecondsRoundedUp
        loop = context as? Loop ?? .shared
        core = CoalescerCore(
            by: loop, on: context,
            .pause(
                nanoseconds, maxWait: maxWait?.nanosecondsRoundedUp,
                grain: loop.manual == nil ? min(nanoseconds / 1024, Self.longestGrain) : 0),
            label: label
        ) { _ in work() }
    }

    deinit { core.abandon() }

    /// Requests a run, and moves it if one is pending.
    ///
    /// - Returns: False if the loop is shut down.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func call() -> Bool { core.call() }

    /// Moves the pending run to the context's next turn. ``flushAndWait()`` waits for its end.
    ///
    /// - Returns: False if no run was pending.
    /// - Complexity: O(1), a post.
    @discardableResult
    public func flush() -> Bool { core.flush(on: loop) }

    /// Moves the pending run to the context's next turn and waits for its end, and for that of
    /// every run that has begun. Returns at once if there is none, if the task is cancelled, and
    /// when ``cancel()`` drops the run before it has started.
    ///
    /// **Thread:** any task.
    /// - Complexity: O(n) in the runs that have begun, of which a loop has one; a post.
    public func flushAndWait() async { await core.flushAndWait(on: loop) }

    /// Drops the pending run.
    ///
    /// - Returns: Whether a run was pending. It will not start.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func cancel() -> Bool { core.cancel() }

    /// Whether a run is pending.
    public var isPending: Bool { core.isPending && !loop.isOver }
}
