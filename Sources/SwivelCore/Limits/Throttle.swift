// SPDX-License-Identifier: Apache-2.0

/// Many requests, one run per interval: a throttle. A ``Coalescer`` waits for a pause instead.
///
/// With the leading edge a call runs the work at once, on the loop. Calls within the interval after
/// a run share one run at its end, with the trailing edge, or are dropped. Two runs never start
/// less than the interval apart.
///
/// Releasing the throttle does nothing: a pending run happens at its time. ``cancel()`` drops it,
/// and so does the loop's shutdown, which counts it.
///
/// **Thread:** any.
public final class Throttle: Sendable {
    /// The calls of a burst that run the work.
    public enum Edges: Hashable, Sendable {
        /// The first runs it at once, the others are dropped.
        case leading
        /// All of them run it once, when the interval has passed.
        case trailing
        /// The first runs it at once, the others once more when the interval has passed.
        case both
    }

    private let core: CoalescerCore
    /// Runs the work.
    private let loop: Loop

    /// A throttle whose `work` runs on `loop`, for the `edges` of a burst, with at least the
    /// `interval` between the starts of two runs; zero or less traps. The work is released with the
    /// throttle, or after the run that is pending then.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(
        on loop: Loop, every interval: Duration, edges: Edges = .both,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        check(
            interval > .zero, "an interval must be above zero, not \(interval)", file: file,
            line: line)
        self.loop = loop
        core = CoalescerCore(
            on: loop, nil, .distance(interval.nanosecondsRoundedUp, edges), label: "Throttle", work)
    }

    deinit { core.abandon() }

    /// Requests a run. The work never runs inside this call.
    ///
    /// - Returns: False: the loop is shut down.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func call() -> Bool { core.call() }

    /// Drops the pending run. The interval after the last run continues.
    ///
    /// - Returns: Whether a run was pending. It will not start.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func cancel() -> Bool { core.cancel() }

    /// Whether a run is pending.
    public var isPending: Bool { core.isPending && !loop.isOver }
}
