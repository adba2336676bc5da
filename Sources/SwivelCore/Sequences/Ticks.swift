// SPDX-License-Identifier: Apache-2.0

/// The ticks of a grid of instants, as an asynchronous sequence; see
/// `ticks(every:startingAfter:missed:leeway:)`.
public struct Ticks: AsyncSequence, Sendable {
    /// What the sequence consists of.
    public typealias Element = Tick
    /// A tick never fails.
    public typealias Failure = Never

    let loop: Loop
    let interval: Duration
    let startingAfter: Duration?
    let missed: MissedTicks
    let leeway: Duration

    /// Begins the grid, now.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: TickSource(self))
    }

    /// One pass over the ticks. Dropping it, which cannot happen inside ``next()``, leaves nothing
    /// behind.
    public struct Iterator: AsyncIteratorProtocol {
        let source: TickSource

        /// Waits for the next tick; `nil` once the task is cancelled, the tick was cancelled, or the
        /// loop is shut down.
        nonisolated(nonsending) public mutating func next() async -> Tick? {
            await source.next()
        }

        /// As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Tick? {
            await source.next()
        }
    }
}

extension Loop {
    /// The instants of a grid, for `for await`.
    ///
    /// Demand-driven: nothing runs between two calls of `next()`, and nothing is queued. Each call
    /// waits for the next instant of the grid, in one node of the loop's wheel and without a task of
    /// its own; instants that passed meanwhile are handled as `missed` says, and counted. Tick *k*
    /// belongs to the instant first + *k* · interval, where first is the begin of the iteration plus
    /// `startingAfter` (or the interval): nothing drifts, however long the loop's body takes.
    ///
    /// The sequence ends when its task is cancelled, after ``Tick/cancel()``, and when the loop shuts
    /// down.
    ///
    ///     for await tick in loop.ticks(every: .seconds(1)) {
    ///         print("beat \(tick.index), \(tick.missed) missed")
    ///     }
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Parameters:
    ///   - interval: Between two instants; must be above zero.
    ///   - startingAfter: Time to the first tick; the interval if `nil`.
    ///   - missed: What happens to instants that passed before `next()` was called.
    ///   - leeway: How much later than its instant a tick may come. Counts for half an interval at
    ///     most: it never costs a tick.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The sequence. Each iteration of it has a grid of its own.
    /// - Complexity: O(1) a tick. No allocation of the library's but for an iteration's first.
    public func ticks(
        every interval: Duration, startingAfter: Duration? = nil, missed: MissedTicks = .skip,
        leeway: Duration = .zero, file: StaticString = #fileID, line: UInt = #line
    ) -> Ticks {
        check(
            interval > .zero, "an interval must be above zero, not \(interval)", file: file,
            line: line)
        return Ticks(
            loop: self, interval: interval, startingAfter: startingAfter, missed: missed,
            leeway: min(leeway, interval / 2))
    }
}
