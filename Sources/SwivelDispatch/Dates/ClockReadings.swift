// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The instants at which a clock on the wall of a time zone comes to show `components`.
///
/// The search is in the clock's readings, which have neither gaps nor overlaps, and the zone's
/// offsets turn a reading into an instant. `Calendar.nextDate` in the zone itself moves the 31st of
/// June to the 1st of July, and leaves out a day whose gap is not a whole hour.
struct ClockReadings {
    private let components: DateComponents
    private let calendar: Calendar
    private var zone: TimeZone { calendar.timeZone }

    init(_ components: DateComponents, _ calendar: Calendar, _ zone: TimeZone) {
        var (components, calendar) = (components, calendar)
        (components.timeZone, components.calendar) = (nil, nil)
        calendar.timeZone = zone
        self.components = components
        self.calendar = calendar
    }

    /// The first of the instants after `date`; `nil`: there is none.
    func next(after date: Date) -> Date? {
        let time = DateComponents(
            minute: components.minute, second: components.second, nanosecond: components.nanosecond)
        if components.hour == nil && time != DateComponents() {
            return next(after: date, showing: time)
        }
        // A date of this calendar stands for a reading: it shows the same in Greenwich.
        var readings = calendar
        readings.timeZone = .gmt
        var reading = date + offset(date)
        while let next = readings.nextDate(
            after: reading, matching: components, matchingPolicy: .strict)
        {
            let instant = firstInstant(showing: next)
            if instant > date { return instant }
            // The clock was set back since then, and shows it for the second time.
            reading = next
        }
        return nil
    }

    /// Without an hour: each instant at which the clock shows `time`, on a day that matches.
    private func next(after date: Date, showing time: DateComponents) -> Date? {
        var day = components
        (day.minute, day.second, day.nanosecond) = (nil, nil, nil)
        let days = day == DateComponents() ? nil : ClockReadings(day, calendar, zone)
        var from = date
        while let next = calendar.nextDate(after: from, matching: time, matchingPolicy: .strict) {
            let isOnDay = days == nil || calendar.date(next, matchesComponents: day)
            if isOnDay && next > date { return next }
            // Foundation may find an instant before `from`, whose nanosecond no date has.
            let second = from.timeIntervalSinceReferenceDate.rounded(.down)
            from = next > from ? next : Date(timeIntervalSinceReferenceDate: second + 1)
            if let days, !isOnDay {
                guard let start = days.next(after: next) else { return nil }
                from = max(from, start.justBefore)
            }
        }
        return nil
    }

    /// How far the zone's clock is ahead of Greenwich.
    private func offset(_ date: Date) -> TimeInterval { Double(zone.secondsFromGMT(for: date)) }

    /// The first instant at which the clock shows `reading` or a later one.
    private func firstInstant(showing reading: Date) -> Date {
        // Every zone's clock shows an earlier reading then.
        var start = reading - 86_400
        while true {
            let instant = max(start, reading - offset(start))
            guard let change = zone.nextDaylightSavingTimeTransition(after: start),
                change <= instant
            else { return instant }
            start = change
        }
    }
}

extension Date {
    /// The latest date before this one.
    var justBefore: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.nextDown)
    }
}
