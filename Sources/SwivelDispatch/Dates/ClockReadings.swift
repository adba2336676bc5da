// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The instants at which a clock on the wall of a time zone comes to show `components`.
///
/// The search is in the clock's readings, which have neither gaps nor overlaps, and the zone's
/// offsets turn a reading into an instant. `Calendar.nextDate` in the zone itself moves the 31st of
/// June to the 1st of July, and leaves out a day whose gap is not a whole hour.
///
/// After nine o'clock on a day of March, it also finds nine o'clock on the first of March only. So
/// it searches for the time, the weekday and the day, and the rest is compared.
struct ClockReadings {
    private let components: DateComponents
    /// The components that a search looks for.
    private let searched: DateComponents
    /// The years and months in which a match counts.
    private let period: DateComponents
    /// The ordinals of the weekdays that count.
    private let ordinal: DateComponents
    private let calendar: Calendar
    private var zone: TimeZone { calendar.timeZone }

    init(_ components: DateComponents, _ calendar: Calendar, _ zone: TimeZone) {
        var (components, calendar) = (components, calendar)
        (components.timeZone, components.calendar) = (nil, nil)
        calendar.timeZone = zone
        self.components = components
        self.calendar = calendar
        (searched, period, ordinal) = components.forSearch
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
        while let next = nextReading(after: reading, in: readings) {
            let instant = firstInstant(showing: next)
            if instant > date { return instant }
            // The clock was set back since then, and shows it for the second time.
            reading = next
        }
        return nil
    }

    /// The next date of this calendar that matches; `nil`: there is none in some centuries.
    private func nextReading(after date: Date, in readings: Calendar) -> Date? {
        var from = date
        for _ in 0..<1_000 {
            guard
                let next = readings.nextDate(
                    after: from, matching: searched, matchingPolicy: .strict)
            else { return nil }
            from = next
            if !period.isEmpty, !readings.date(next, matchesComponents: period) {
                guard
                    let start = readings.nextDate(
                        after: next, matching: period, matchingPolicy: .strict)
                else { return nil }
                from = start
                // Midnight, which the search from there would leave out.
                guard readings.date(start, matchesComponents: searched) else { continue }
            }
            if ordinal.isEmpty || readings.date(from, matchesComponents: ordinal) { return from }
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

extension DateComponents {
    fileprivate var isEmpty: Bool { self == DateComponents() }

    /// These in three parts: those for which `nextDate` finds each match, the years and months of
    /// which any day may match, and the ordinals of a weekday.
    fileprivate var forSearch: (searched: Self, period: Self, ordinal: Self) {
        var (searched, period, ordinal) = (self, DateComponents(), DateComponents())
        if day == nil || month == nil {
            (period.era, period.year, period.month) = (era, year, month)
            (searched.era, searched.year, searched.month) = (nil, nil, nil)
        }
        // No day at all: the first one of the year, or of the month.
        if searched.isEmpty { return (self, DateComponents(), DateComponents()) }
        if weekday != nil {
            (ordinal.weekdayOrdinal, ordinal.weekOfMonth) = (weekdayOrdinal, weekOfMonth)
            (searched.weekdayOrdinal, searched.weekOfMonth) = (nil, nil)
        }
        return (searched, period, ordinal)
    }
}

extension Date {
    /// The latest date before this one.
    var justBefore: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.nextDown)
    }
}
