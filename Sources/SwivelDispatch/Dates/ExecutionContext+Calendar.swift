// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import SwivelCore

extension ExecutionContext {
    /// Runs `work` here each time that the calendar comes to match `components`, until the timer
    /// that it returns is cancelled: every day at nine, every Monday. Dropping that does nothing.
    ///
    ///     loop.schedule(matching: DateComponents(hour: 9)) { tick in report(tick.scheduled) }
    ///     loop.schedule(matching: DateComponents(hour: 18, weekday: 2)) { backUp() }
    ///
    /// Smaller components than those given are zero, others that are missing may be anything:
    /// `DateComponents(month: 12, hour: 9)` is nine o'clock on each day of December. A `timeZone` of
    /// the components goes before the calendar's. Each instant is searched in the calendar, and the
    /// timer waits for it on the wall clock, as ``schedule(at:leeway:label:_:file:line:)`` does.
    ///
    /// A time of day that daylight saving skips fires when the clocks skip it, and one that comes
    /// twice fires the first time. Without an hour, as in `DateComponents(minute: 30)`, each time
    /// that the clock shows the minute counts. The 31st comes seven times a year: no other day
    /// replaces it.
    ///
    /// After a step of the wall clock back, no instant fires again; instants that a step forward
    /// has passed are missed. `Calendar.current` keeps its time zone, `.autoupdatingCurrent`
    /// follows: after a change the timer still waits for its next instant, and those after it are
    /// the new zone's.
    ///
    /// If nothing in the future matches (30 February, a past year), `work` is released, the timer
    /// is over at once, and debug builds report the call. The timer retains this context until it is
    /// over or cancelled.
    ///
    /// **Thread:** any. `work` runs on this context, never inside this call, and never overlaps
    /// itself. It is released with the timer.
    /// - Parameters:
    ///   - components: What matches.
    ///   - calendar: Whose dates and time zone count.
    ///   - leeway: How much later than its instant a tick may fire; at most half of the time to the
    ///     next one.
    ///   - missed: What happens to instants that passed, for example while the machine slept. A
    ///     calendar has no grid to restart: with ``MissedTicks/delay`` the first of them gets the
    ///     tick, and the next one is that of the next instant in the future.
    ///   - label: A name for watchdogs and in the list of pending work; `nil`: none.
    /// - Returns: The timer. On a loop that is shut down it reads cancelled.
    /// - Complexity: A search on the calling thread: some 10 microseconds, or milliseconds if the
    ///   match is years away. Later searches run ahead on ``WorkerPool/shared`` and do not block
    ///   this context; only missed instants cost one each here, up to a thousand.
    @preconcurrency
    @discardableResult
    public func schedule(
        matching components: DateComponents, in calendar: Calendar = .current,
        leeway: Duration = .zero, missed: MissedTicks = .skip, label: StaticString? = nil,
        _ work: @escaping @Sendable (WallTick) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        WallTimers.system.schedule(
            .matching(components, calendar), on: self, leeway: leeway, missed: missed,
            label: label, work, file: file, line: line)
    }

    /// Runs `work` here each time that the calendar comes to match `components`, as `schedule` with
    /// a closure that takes a ``WallTick``. `calendar`, `leeway`, `missed` and `label` are the
    /// same; it returns the timer.
    ///
    /// **Thread:** any.
    /// - Complexity: As in that form.
    @preconcurrency
    @discardableResult
    public func schedule(
        matching components: DateComponents, in calendar: Calendar = .current,
        leeway: Duration = .zero, missed: MissedTicks = .skip, label: StaticString? = nil,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            matching: components, in: calendar, leeway: leeway, missed: missed, label: label,
            { _ in work() }, file: file, line: line)
    }

    /// Runs `work` here at each recurrence of `rule`, until the timer that it returns is cancelled
    /// or the rule ends; then nothing is left of it.
    ///
    ///     let lastFriday = Calendar.RecurrenceRule.monthly(
    ///         calendar: .current, weekdays: [.nth(-1, .friday)], hours: [17])
    ///     loop.schedule(lastFriday) { tick in remind(tick.scheduled) }
    ///
    /// The rule is that of RFC 5545. Its `matchingPolicy` and `repeatedTimePolicy` decide on
    /// daylight saving: by default a skipped time moves by the hour that the clocks skip, and one
    /// that comes twice fires the first time. (If the clocks skip less than an hour, as on Lord
    /// Howe Island, Foundation leaves out that recurrence.) All else is as in
    /// ``schedule(matching:in:leeway:missed:label:_:file:line:)``.
    ///
    /// **Thread:** any. `work` runs on this context, never inside this call, and never overlaps
    /// itself. It is released with the timer.
    /// - Parameters:
    ///   - rule: Its end counts from `startingAt` on.
    ///   - startingAt: The rule's start, which gives what the rule leaves open, such as the minute.
    ///     It is a recurrence if the rule matches it. Recurrences before the call do not fire,
    ///     except a start of the last second, such as the default. NaN traps.
    ///   - leeway: How much later than its instant a tick may fire.
    ///   - missed: What happens to recurrences that passed after the call.
    ///   - label: A name for watchdogs and in the list of pending work; `nil`: none.
    /// - Returns: The timer. On a loop that is shut down it reads cancelled.
    /// - Complexity: As for components, and 30 microseconds for each recurrence between
    ///   `startingAt` and the call. Each date that a limit rules out costs as much: a `daily` rule
    ///   that is limited to 29 February takes 20 milliseconds, and a `yearly` one does not. For a
    ///   rule that never matches, Foundation searches decades: an `hourly` one takes seconds.
    @preconcurrency
    @discardableResult
    public func schedule(
        _ rule: Calendar.RecurrenceRule, startingAt: Date = .now, leeway: Duration = .zero,
        missed: MissedTicks = .skip, label: StaticString? = nil,
        _ work: @escaping @Sendable (WallTick) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        WallTimers.system.schedule(
            .recurring(rule, from: startingAt), on: self, leeway: leeway, missed: missed,
            label: label, work, file: file, line: line)
    }

    /// Runs `work` here at each recurrence of `rule`, as `schedule` with a closure that takes a
    /// ``WallTick``. `startingAt`, `leeway`, `missed` and `label` are the same; it returns the
    /// timer.
    ///
    /// **Thread:** any.
    /// - Complexity: As in that form.
    @preconcurrency
    @discardableResult
    public func schedule(
        _ rule: Calendar.RecurrenceRule, startingAt: Date = .now, leeway: Duration = .zero,
        missed: MissedTicks = .skip, label: StaticString? = nil,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            rule, startingAt: startingAt, leeway: leeway, missed: missed, label: label,
            { _ in work() }, file: file, line: line)
    }
}
