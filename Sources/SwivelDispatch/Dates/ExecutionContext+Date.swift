// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import SwivelCore

// Disfavored, so that `.now` in `schedule(at: .now)` means the loops' clock.
extension ExecutionContext {
    /// Runs `work` here once, when the wall clock reaches `date`, and never before.
    ///
    /// That holds after a step of the wall clock too, in either direction: a timer whose date a step
    /// has reached fires promptly, and one that a step has moved away from waits on. A date that has
    /// passed, `Date.distantPast` among them, is a post with a handle. `Date.distantFuture` and later
    /// dates never come; such a timer can be cancelled. A date made of NaN traps.
    ///
    /// ``TimerHandle/rearm(after:)`` gives the timer a deadline on the loops' clock in place of the
    /// date.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - date: On the wall clock.
    ///   - leeway: How much later than its date the timer may fire.
    ///   - work: Runs once on this context, and is released.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer, the same one however often it has to be moved. Dropping it does
    ///   nothing.
    /// - Complexity: O(1), a few allocations; a step of the wall clock costs O(number of timers that
    ///   wait for a date).
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        at date: Date, leeway: Duration = .zero, _ work: @escaping @Sendable () -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        WallTimers.system.schedule(
            at: date, on: self, leeway: leeway, .once(work), file: file, line: line)
    }

    /// Runs `work` here for each tick of a grid that starts when the wall clock reaches `date`.
    ///
    /// The wall clock decides the first instant only, as in ``schedule(at:leeway:_:)``; from there on
    /// tick *k* belongs to the instant first + *k* · interval on the loops' clock, whatever becomes
    /// of the wall clock. With a date that has passed the first instant is the call's.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - interval: Between two instants; must be above zero.
    ///   - date: Of the first instant, on the wall clock. NaN traps.
    ///   - leeway: How much later than its instant a tick may fire. Counts for half an interval at
    ///     most: it never costs a tick.
    ///   - jitter: Added to each tick, in fractions of the interval; the grid itself stays.
    ///   - missed: What happens to instants that passed.
    ///   - work: Runs for each tick, and is released with the timer.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer. Dropping it does nothing.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        every interval: Duration, startingAt date: Date, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        _ work: @escaping @Sendable (Tick) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        WallTimers.system.schedule(
            at: date, on: self, leeway: leeway,
            .every(interval, missed: missed, jitter: jitter, work), file: file, line: line)
    }

    /// As the form whose closure takes a ``Tick``.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        every interval: Duration, startingAt date: Date, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, startingAt: date, leeway: leeway, jitter: jitter, missed: missed,
            { _ in work() }, file: file, line: line)
    }

    /// Runs `work` here once, when the wall clock reaches `date`: a newer call with this id, with a
    /// date or a delay, replaces the pending one, with its closure, its context and its deadline.
    ///
    /// See ``once(_:after:maxWait:leeway:_:)`` for ids and ``schedule(at:leeway:_:)`` for dates.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - id: What names the operation.
    ///   - date: On the wall clock. NaN traps.
    ///   - leeway: How much later than its date it may run.
    ///   - work: What runs.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The pending timer, over once a newer call has replaced it.
    @_disfavoredOverload
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, at date: Date, leeway: Duration = .zero,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        WallContext(self, date, .system, file: file, line: line).once(id, leeway: leeway, work)
    }
}
