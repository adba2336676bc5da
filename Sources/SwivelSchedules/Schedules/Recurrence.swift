// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
public import Foundation
internal import SwivelCore
internal import SwivelDispatch

/// The instants of a schedule's ticks.
///
/// Calendar recurrences have a calendar with its time zone, because several servers, which may be
/// set to different zones, must find the same instants.
public struct Recurrence: Codable, Hashable, Sendable {
    private enum Kind: Codable, Hashable, Sendable {
        case once(Date)
        case every(seconds: Double, from: Date?)
        case matching(DateComponents, Calendar)
        case recurring(Calendar.RecurrenceRule, from: Date)

        func hash(into hasher: inout Hasher) {
            switch self {
            case .once(let date): hasher.combine(date)
            case .every(let seconds, let start):
                hasher.combine(seconds)
                hasher.combine(start)
            case .matching(let components, _): hasher.combine(components)
            case .recurring(_, let start): hasher.combine(start)
            }
        }
    }

    private let kind: Kind
    /// Seconds of an interval: a century.
    private static let longest = 3_153_600_000.0

    /// Returns the one instant `date`. One that has passed is due at once.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func once(at date: Date) -> Recurrence { Recurrence(kind: .once(date)) }

    /// Returns instants that are an `interval` apart, which traps below a millisecond and above a
    /// century. The first is at `start`, or an interval after the schedule is added.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func every(
        _ interval: Duration, startingAt start: Date? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Recurrence {
        check(
            interval >= .milliseconds(1) && interval <= .seconds(Self.longest),
            "a schedule's interval must be 1 ms or more and no century, not \(interval)",
            file: file, line: line)
        return Recurrence(kind: .every(seconds: interval / .seconds(1), from: start))
    }

    /// Returns the instants at which `calendar` comes to match `components`, as
    /// `schedule(matching:in:)` of `ExecutionContext` finds them: a time of day that daylight saving
    /// skips fires when the clocks skip it, and one that comes twice fires the first time.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func matching(_ components: DateComponents, in calendar: Calendar) -> Recurrence {
        var components = components
        components.calendar = nil
        components.timeZone = components.timeZone.map(fixed)
        return Recurrence(kind: .matching(components, fixed(calendar)))
    }

    /// Returns the instants of each day at an `hour` and `minute` of the Gregorian calendar in
    /// `timeZone`; see ``matching(_:in:)``.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func daily(hour: Int, minute: Int = 0, in timeZone: TimeZone) -> Recurrence {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return .matching(DateComponents(hour: hour, minute: minute), in: calendar)
    }

    /// Returns the recurrences of a `rule` of RFC 5545, whose end counts from `start` on.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func recurring(
        _ rule: Calendar.RecurrenceRule, startingAt start: Date
    ) -> Recurrence {
        var rule = rule
        rule.calendar = fixed(rule.calendar)
        return Recurrence(kind: .recurring(rule, from: start))
    }

    /// The same for all processes: nothing of this one's settings, and nothing that follows them.
    private static func fixed(_ calendar: Calendar) -> Calendar {
        var copy = Calendar(identifier: calendar.identifier)
        copy.locale = Locale(identifier: "en_US_POSIX")
        copy.timeZone = fixed(calendar.timeZone)
        copy.firstWeekday = calendar.firstWeekday
        copy.minimumDaysInFirstWeek = calendar.minimumDaysInFirstWeek
        return copy
    }

    private static func fixed(_ zone: TimeZone) -> TimeZone {
        TimeZone(identifier: zone.identifier) ?? zone
    }

    /// The first instant of a schedule that is added `now`.
    func first(from now: Date) -> Date? {
        switch kind {
        case .once(let date): date
        case .every(let seconds, let start): start ?? now + seconds
        case .matching, .recurring: try? Occurrences(self).next(after: now - 0.001)
        }
    }

    /// Finds instants; it keeps what it has found.
    struct Occurrences: Sendable {
        /// Missed instants of a calendar that are visited one by one.
        private static let visited = 1_000

        private let kind: Kind
        private let dates: CalendarDates?

        /// Throws if a row has an interval that is out of range.
        init(_ recurrence: Recurrence) throws {
            kind = recurrence.kind
            switch kind {
            case .once: dates = nil
            case .every(let seconds, _):
                guard seconds >= 0.001, seconds <= Recurrence.longest else {
                    throw ScheduleError("an interval of \(seconds) s is out of range")
                }
                dates = nil
            case .matching(let components, let calendar):
                dates = CalendarDates(.matching(components, calendar))
            case .recurring(let rule, let start):
                dates = CalendarDates(.recurring(rule, from: start))
            }
        }

        /// The instant after `date`, which is one itself.
        func next(after date: Date) -> Date? {
            if case .every(let seconds, _) = kind { return date.advanced(1, by: seconds) }
            return dates?.next(after: date)
        }

        /// The latest instant by `now`, from `first` on, which is one.
        func latest(from first: Date, by now: Date) -> Date {
            if case .every(let seconds, _) = kind {
                let count = (now.microseconds - first.microseconds) / Date.microseconds(in: seconds)
                return first.advanced(max(0, count), by: seconds)
            }
            var (latest, count) = (first, 0)
            while let next = dates?.next(after: latest), next <= now {
                latest = next
                count += 1
                if count == Self.visited {
                    // So far they were as far apart as this, on average.
                    let gap = (latest - first) / Double(count)
                    let near = now - max(gap * 10, 3_600)
                    if near > latest, let jump = dates?.next(after: near, skipping: true),
                        jump <= now
                    {
                        latest = jump
                    }
                }
            }
            return latest
        }
    }
}

extension Date {
    fileprivate static func - (one: Date, other: Date) -> TimeInterval {
        one.timeIntervalSince(other)
    }

    fileprivate static func microseconds(in seconds: Double) -> Int64 {
        Int64((seconds * 1_000_000).rounded())
    }

    /// Exact, so that a grid does not drift.
    fileprivate func advanced(_ count: Int64, by seconds: Double) -> Date {
        Date(microseconds: microseconds + count * Self.microseconds(in: seconds))
    }
}
#endif
