// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The ticks of a grid of instants, as an asynchronous sequence; see
/// `ticks(every:startingAfter:missed:leeway:)`.
public struct Ticks: AsyncSequence, Sendable {
    /// The elements are ticks.
    public typealias Element = Tick
    /// A tick never fails.
    public typealias Failure = Never

    let loop: Loop
    let interval: Duration
    let startingAfter: Duration?
    let missed: MissedTicks
    let leeway: Duration

    /// Returns an iterator whose grid starts now.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One pass over the ticks. It holds no timer between two calls of ``next()``.
    public struct Iterator: AsyncIteratorProtocol {
        private let ticks: Ticks
        private var grid = swivel_grid()
        private var isOver = false

        init(_ ticks: Ticks) {
            self.ticks = ticks
            let delay = Swift.max(ticks.startingAfter ?? ticks.interval, .zero)
            grid.first_ns = ticks.loop.now.advanced(by: delay).nanoseconds
            grid.interval_ns = ticks.interval.nanosecondsRoundedUp
            grid.missed = ticks.missed.policy
        }

        /// Waits for the next tick.
        ///
        /// **Thread:** any. The task resumes on its own executor.
        /// - Returns: The tick; `nil` once the task is cancelled or the loop is shut down.
        /// - Complexity: O(1). No allocation but the runtime's own.
        nonisolated(nonsending) public mutating func next() async -> Tick? {
            isOver = isOver || Task.isCancelled
            if !isOver, swivel__has_come(ticks.loop.record, grid.first_ns) {
                // A body that takes as long as the interval lets its executor do other work.
                await Task.yield()
                isOver = Task.isCancelled
            } else if !isOver {
                do {
                    let next = LoopClock.Instant(nanoseconds: grid.first_ns)
                    try await Sleep.sleep(on: ticks.loop, until: .at(next), tolerance: ticks.leeway)
                } catch {
                    isOver = true
                }
            }
            guard !isOver, !ticks.loop.isOver else { return nil }
            let now = ticks.loop.now.nanoseconds
            return Tick(swivel__grid_take(&grid, grid.first_ns, now))
        }

        /// Waits for the next tick, and returns as ``next()`` does.
        ///
        /// **Thread:** any. The task, whose `actor` is the caller's, resumes on its own executor.
        /// - Complexity: O(1). No allocation but the runtime's own.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Tick? {
            await next()
        }
    }
}

extension Loop {
    /// Returns the instants of a grid, for `for await`. An `interval` that is not above zero traps.
    ///
    /// Nothing runs between two calls of `next()`, and nothing is queued. Each call waits for the
    /// next instant of the grid, in one node of the loop's wheel and without a task of its own;
    /// instants that passed since then are handled by `missed`, and counted. Tick *k* belongs to
    /// the instant first + *k* · interval, where first is the start of the iteration plus
    /// `startingAfter` (or the interval, if `nil`): nothing drifts, however long the loop's body
    /// takes. A tick may come by `leeway` later than its instant, and by half an interval at most:
    /// it never costs a tick. Each iteration of the sequence has a grid of its own.
    ///
    /// The sequence ends when its task is cancelled and when the loop shuts down; `break` leaves
    /// it. Its ticks have no timer: ``Tick/handle`` reads finished.
    ///
    ///     for await tick in loop.ticks(every: .seconds(1)) {
    ///         print("beat \(tick.index), \(tick.missed) missed")
    ///     }
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Complexity: O(1) without allocation.
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
