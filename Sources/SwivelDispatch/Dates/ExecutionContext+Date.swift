// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import SwivelCore

// Disfavored, so that `.now` in `schedule(at: .now)` means the loops' clock.
extension ExecutionContext {
    /// Runs `work` here once, when the wall clock reaches `date`, and never before.
    ///
    /// That holds after a step of the wall clock too: a timer whose date a step has reached fires
    /// promptly, and one whose date a step has moved away waits on. A date that has passed, such as
    /// `Date.distantPast`, is a post with a handle. `Date.distantFuture` and later dates never
    /// come; such a timer can be cancelled. ``TimerHandle/rearm(after:)`` replaces the date by a
    /// deadline on the loops' clock.
    ///
    /// The timer retains this context until its closure has run or was cancelled: the release of an
    /// embedded loop, which it would end otherwise, waits for that.
    ///
    /// **Thread:** any. `work` runs on this context, never inside this call, and is released.
    /// - Parameters:
    ///   - date: On the wall clock. NaN traps.
    ///   - leeway: How much later than its date the timer may fire.
    ///   - label: A name for watchdogs and in the list of pending work; `nil`: none.
    /// - Returns: The timer. Dropping it does nothing. On a loop that is shut down it reads
    ///   cancelled.
    /// - Complexity: O(1), a few allocations. A step of the wall clock costs O(number of timers
    ///   that wait for a date).
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func schedule(
        at date: Date, leeway: Duration = .zero, label: StaticString? = nil,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        WallTimers.system.schedule(
            at: date, on: self, leeway: leeway, label: label, .once(work), file: file, line: line)
    }

    /// Runs `work` here for each tick of a grid that starts when the wall clock reaches `date`.
    ///
    /// The wall clock decides the first instant only, as in
    /// ``schedule(at:leeway:label:_:file:line:)``; if the date has passed, it is the call's. Tick
    /// *k* belongs to first + *k* · interval on the loops' clock, and steps of the wall clock
    /// change nothing.
    ///
    /// **Thread:** any. `work` runs on this context, never inside this call, and never overlaps
    /// itself. It is released with the timer.
    /// - Parameters:
    ///   - interval: Between two instants. Zero or less traps.
    ///   - date: Of the first instant, on the wall clock. NaN traps.
    ///   - leeway: How much later than its instant a tick may fire; half an interval at most
    ///     counts.
    ///   - jitter: Added to each tick, in fractions of the interval. Less than zero traps.
    ///   - missed: What happens to instants that passed.
    ///   - label: A name for watchdogs and in the list of pending work; `nil`: none.
    /// - Returns: The timer. Dropping it does nothing. On a loop that is shut down it reads
    ///   cancelled.
    /// - Complexity: As ``schedule(at:leeway:label:_:file:line:)``. No allocation per tick on a
    ///   loop.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func schedule(
        every interval: Duration, startingAt date: Date, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        label: StaticString? = nil, _ work: @escaping @Sendable (Tick) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        WallTimers.system.schedule(
            at: date, on: self, leeway: leeway, label: label,
            .every(interval, missed: missed, jitter: jitter, work), file: file, line: line)
    }

    /// Runs `work` here for each tick of a grid that starts when the wall clock reaches `date`: as
    /// `schedule` with a closure that takes a ``Tick``. `interval`, `leeway`, `jitter`, `missed`
    /// and `label` are the same; it returns the timer.
    ///
    /// **Thread:** any. `work` runs on this context, never inside this call, and never overlaps
    /// itself.
    /// - Complexity: As ``schedule(at:leeway:label:_:file:line:)``. No allocation per tick on a
    ///   loop.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func schedule(
        every interval: Duration, startingAt date: Date, leeway: Duration = .zero,
        jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        label: StaticString? = nil, _ work: @escaping @Sendable () -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, startingAt: date, leeway: leeway, jitter: jitter, missed: missed,
            label: label, { _ in work() }, file: file, line: line)
    }

    /// Runs `work` here once, when the wall clock reaches `date`: a newer call with this id, with a
    /// date or a delay, replaces the pending one, with its closure, its context and its deadline.
    ///
    /// See ``once(_:after:maxWait:leeway:label:_:)`` for `id`, and
    /// ``schedule(at:leeway:label:_:file:line:)`` for `date`, `leeway` and `label`.
    ///
    /// **Thread:** any. `work` runs on this context, never inside this call.
    /// - Returns: The pending timer, over once a newer call has replaced it.
    /// - Complexity: As ``schedule(at:leeway:label:_:file:line:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func once(
        _ id: some Hashable & Sendable, at date: Date, leeway: Duration = .zero,
        label: StaticString? = nil, _ work: @escaping @Sendable () -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        DateContext(context: self, date: date, label: label, file: file, line: line)
            .once(id, leeway: leeway, work)
    }
}

/// A context whose timers start at a date, whatever start they request, for `once`.
private struct DateContext: ExecutionContext {
    let context: any ExecutionContext
    let date: Date
    let label: StaticString?
    let file: StaticString
    let line: UInt

    func execute(_ work: @escaping @Sendable () -> Void) { context.execute(work) }

    var isCurrent: Bool { context.isCurrent }

    func arm(_ request: TimerRequest) -> TimerHandle {
        WallTimers.system.schedule(
            at: date, on: context, leeway: request.leeway, label: label, request.body, file: file,
            line: line)
    }
}
