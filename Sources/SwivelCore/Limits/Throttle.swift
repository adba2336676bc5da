// SPDX-License-Identifier: Apache-2.0

/// Many requests, one run per interval: a throttle. A ``Coalescer`` waits for a pause instead.
///
/// With the leading edge a call runs the work at once, on its context. Calls within the interval
/// after a run share one run at its end, with the trailing edge, or are dropped. Two runs never
/// start less than the interval apart.
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
    /// Keeps the time.
    private let loop: Loop

    /// A throttle whose `work` runs on `context`, for the `edges` of a burst, with at least the
    /// `interval` between the starts of two runs; zero or less traps. The work is released with the
    /// throttle, or after the run that is pending then.
    ///
    /// Contexts that are not loops keep their time on ``Loop/shared``. On one that runs several
    /// closures at a time, runs that take longer than the interval overlap.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(
        on context: some ExecutionContext, every interval: Duration, edges: Edges = .both,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        check(
            interval > .zero, "an interval must be above zero, not \(interval)", file: file,
            line: line)
        loop = context as? Loop ?? .shared
        core = CoalescerCore(
            by: loop, on: context, .distance(interval.nanosecondsRoundedUp, edges),
            label: "Throttle"
        ) { _ in work() }
    }

    /// The same on a `loop`, which `.shared` and `.main` name here. `work` runs for the `edges` of
    /// a burst, with at least the `interval` between the starts of two runs.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public convenience init(
        on loop: Loop, every interval: Duration, edges: Edges = .both,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        // As any context: as a loop it would choose this function.
        let context: any ExecutionContext = loop
        self.init(on: context, every: interval, edges: edges, work, file: file, line: line)
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

extension Throttle {
    /// Not callable: the compiler names the labels.
    @available(*, unavailable, renamed: "init(on:every:edges:_:file:line:)")
    public convenience init(
        on context: some ExecutionContext, interval: Duration, edges: Edges = .both,
        _ work: @escaping @Sendable () -> Void
    ) {
        fatalError()
    }
}
