// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelTestSupport
@testable import SwivelDispatch
import Testing

/// Guarantee T7: which instants a calendar schedule has.
@Suite struct CalendarDatesTests {
    private func check(
        _ components: DateComponents, in zone: String, after date: String, are expected: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let calendar = try Calendar.of(zone)
        let dates = CalendarDates(.matching(components, calendar))
        let found = dates.first(expected.count, after: calendar.date(date)).map(calendar.text)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test func t7ATimeOfDayThatTheClocksSkipComesWhenTheySkipIt() throws {
        try check(
            DateComponents(hour: 2, minute: 30), in: "Europe/Berlin", after: "2026-03-27 12:00",
            are: ["2026-03-28 02:30 60", "2026-03-29 03:00 120", "2026-03-30 02:30 120"])
        try check(
            DateComponents(hour: 2, minute: 30), in: "America/New_York", after: "2026-03-06 12:00",
            are: ["2026-03-07 02:30 -300", "2026-03-08 03:00 -240", "2026-03-09 02:30 -240"])
        // Half an hour.
        try check(
            DateComponents(hour: 2, minute: 15), in: "Australia/Lord_Howe",
            after: "2026-10-02 12:00",
            are: ["2026-10-03 02:15 630", "2026-10-04 02:30 660", "2026-10-05 02:15 660"])
        // Days without a midnight.
        try check(
            DateComponents(weekday: 6), in: "Africa/Cairo", after: "2026-04-14 12:00",
            are: ["2026-04-17 00:00 120", "2026-04-24 01:00 180", "2026-05-01 00:00 180"])
        try check(
            DateComponents(hour: 23, minute: 30, weekday: 7), in: "America/Nuuk",
            after: "2026-03-21 12:00", are: ["2026-03-21 23:30 -120", "2026-03-29 00:00 -60"])
    }

    @Test func t7ATimeOfDayThatComesTwiceFiresTheFirstTime() throws {
        try check(
            DateComponents(hour: 2, minute: 30), in: "Europe/Berlin", after: "2026-10-23 12:00",
            are: ["2026-10-24 02:30 120", "2026-10-25 02:30 120", "2026-10-26 02:30 60"])
        try check(
            DateComponents(hour: 1, minute: 30), in: "America/New_York",
            after: "2026-10-30 12:00",
            are: ["2026-10-31 01:30 -240", "2026-11-01 01:30 -240", "2026-11-02 01:30 -300"])
        try check(
            DateComponents(hour: 1, minute: 45), in: "Australia/Lord_Howe",
            after: "2026-04-03 12:00",
            are: ["2026-04-04 01:45 660", "2026-04-05 01:45 660", "2026-04-06 01:45 630"])
    }

    @Test func aMinuteOfEachHourComesWheneverTheClockShowsIt() throws {
        let half = DateComponents(minute: 30)
        try check(
            half, in: "Europe/Berlin", after: "2026-10-25 01:00",
            are: ["2026-10-25 01:30 120", "2026-10-25 02:30 120", "2026-10-25 02:30 60"])
        try check(
            half, in: "Europe/Berlin", after: "2026-03-29 01:00",
            are: ["2026-03-29 01:30 60", "2026-03-29 03:30 120"])
        try check(
            half, in: "Australia/Lord_Howe", after: "2026-10-04 01:00",
            are: ["2026-10-04 01:30 630", "2026-10-04 02:30 660", "2026-10-04 03:30 660"])
        try check(
            DateComponents(minute: 45), in: "Australia/Lord_Howe", after: "2026-04-05 01:00",
            are: ["2026-04-05 01:45 660", "2026-04-05 01:45 630", "2026-04-05 02:45 630"])
    }

    @Test func aMinuteOfCertainDaysComesInEachOfTheirHours() throws {
        try check(
            DateComponents(minute: 30, weekday: 2), in: "Europe/Berlin", after: "2026-01-05 22:00",
            are: ["2026-01-05 22:30 60", "2026-01-05 23:30 60", "2026-01-12 00:30 60"])
        try check(
            DateComponents(day: 15, minute: 0), in: "Europe/Berlin", after: "2026-01-14 22:30",
            are: ["2026-01-15 00:00 60", "2026-01-15 01:00 60"])
        try check(
            DateComponents(year: 2025, minute: 0), in: "Europe/Berlin", after: "2025-12-31 22:30",
            are: ["2025-12-31 23:00 60"])
    }

    @Test func aNanosecondComesAfterTheDate() throws {
        let calendar = try Calendar.of("GMT")
        let dates = CalendarDates(.matching(DateComponents(nanosecond: 100_000_000), calendar))
        let start = calendar.date("2026-01-01 00:00") + 0.5
        let next = try #require(dates.next(after: start))
        #expect(abs(next.timeIntervalSince(start) - 0.6) < 1e-6)
    }

    @Test func daysThatAMonthOrAYearDoesNotHaveAreLeftOut() throws {
        try check(
            DateComponents(day: 31, hour: 9), in: "Europe/Berlin", after: "2026-01-31 10:00",
            are: ["2026-03-31 09:00 120", "2026-05-31 09:00 120", "2026-07-31 09:00 120"])
        try check(
            DateComponents(month: 2, day: 29), in: "Europe/Berlin", after: "2026-01-01 00:00",
            are: ["2028-02-29 00:00 60", "2032-02-29 00:00 60"])
        try check(
            DateComponents(month: 2, day: 29, weekday: 6), in: "Europe/Berlin",
            after: "2026-01-01 00:00", are: ["2036-02-29 00:00 60"])
    }

    @Test func mondaysAndTheTimeZoneOfTheComponents() throws {
        try check(
            DateComponents(hour: 9, weekday: 2), in: "Europe/Berlin", after: "2026-01-01 00:00",
            are: ["2026-01-05 09:00 60", "2026-01-12 09:00 60"])
        let tokyo = DateComponents(timeZone: TimeZone(identifier: "Asia/Tokyo"), hour: 9)
        try check(
            tokyo, in: "Europe/Berlin", after: "2026-01-01 00:00", are: ["2026-01-01 01:00 60"])
    }

    @Test(arguments: [
        DateComponents(month: 2, day: 30), DateComponents(hour: 25), DateComponents(),
        DateComponents(year: 2020, month: 1), DateComponents(year: 2020, minute: 30),
        DateComponents(minute: 75),
    ])
    func componentsThatNeverMatchHaveNoInstant(_ components: DateComponents) throws {
        let calendar = try Calendar.of("Europe/Berlin")
        let dates = CalendarDates(.matching(components, calendar))
        #expect(dates.next(after: calendar.date("2026-01-01 00:00")) == nil)
    }

    /// The scan follows a clock minute by minute; it uses nothing of a calendar.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Nuuk", "Pacific/Apia",
        "Africa/Casablanca", "Asia/Kolkata",
    ])
    func t7RandomTimesOfDayAgreeWithAScanOfTheClock(_ zone: String) throws {
        var random = Seeded(for: "t7RandomTimesOfDayAgreeWithAScanOfTheClock(\(zone))")
        let calendar = try Calendar.of(zone)
        for _ in 0..<12 {
            // Apia left out a day in 2011.
            let year = Bool.random(using: &random) ? 2011 : 2026
            let anchor = calendar.date("\(year)-01-01 00:00")
            let from = anchor + Double(random.below(365 * 1440) * 60)
            let change = calendar.timeZone.nextDaylightSavingTimeTransition(after: from) ?? from
            let start = change - Double(random.below(2 * 1440) * 60)
            let minute = random.below(5) * 15 % 60
            let hour = Bool.random(using: &random) ? random.below(25) % 24 : nil
            let dates = CalendarDates(
                .matching(DateComponents(hour: hour, minute: minute), calendar))
            let scanned = scan(calendar.timeZone, from: start, hour: hour, minute: minute)
            #expect(
                dates.first(scanned.count, after: start) == scanned,
                "\(hour ?? -1):\(minute) after \(calendar.text(start))")
        }
    }

    private func scan(_ zone: TimeZone, from start: Date, hour: Int?, minute: Int) -> [Date] {
        func reading(_ date: Date) -> Int {
            Int(date.timeIntervalSince1970) / 60 + zone.secondsFromGMT(for: date) / 60
        }
        var latest = reading(start - 86_400)
        var found: [Date] = []
        for offset in -1440..<5 * 1440 {
            let date = start + Double(offset * 60)
            let shown = reading(date)
            let isThere =
                if let hour {
                    shown > latest
                        && (latest + 1...shown).contains { $0 % 1440 == hour * 60 + minute }
                } else {
                    shown % 60 == minute
                }
            latest = max(latest, shown)
            if isThere && offset > 0 { found.append(date) }
        }
        return found
    }
}

/// Rules of RFC 5545.
@Suite struct RecurrenceDatesTests {
    private func check(
        _ rule: Calendar.RecurrenceRule, from start: String, are expected: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let calendar = rule.calendar
        let dates = CalendarDates(.recurring(rule, from: calendar.date(start)))
        let found = dates.first(9, after: calendar.date(start)).map(calendar.text)
        #expect(Array(found.prefix(expected.count)) == expected, sourceLocation: sourceLocation)
    }

    @Test func anEndOfTheRuleIsTheEnd() throws {
        let calendar = try Calendar.of("Europe/Berlin")
        let nine = { (end: Calendar.RecurrenceRule.End) in
            Calendar.RecurrenceRule.daily(
                calendar: calendar, end: end, hours: [9], minutes: [0], seconds: [0])
        }
        for end in [.afterOccurrences(2), .afterDate(calendar.date("2026-01-03 09:00"))]
            as [Calendar.RecurrenceRule.End]
        {
            let start = calendar.date("2026-01-01 12:00")
            let dates = CalendarDates(.recurring(nine(end), from: start))
            #expect(
                dates.first(9, after: start).map(calendar.text)
                    == ["2026-01-02 09:00 60", "2026-01-03 09:00 60"])
        }
    }

    @Test func t7DaylightSavingIsTheRules() throws {
        let berlin = try Calendar.of("Europe/Berlin")
        let rule = Calendar.RecurrenceRule.daily(
            calendar: berlin, hours: [2], minutes: [30], seconds: [0])
        check(
            rule, from: "2026-03-27 12:00",
            are: ["2026-03-28 02:30 60", "2026-03-29 03:30 120", "2026-03-30 02:30 120"])
        check(
            rule, from: "2026-10-23 12:00",
            are: ["2026-10-24 02:30 120", "2026-10-25 02:30 120", "2026-10-26 02:30 60"])
        check(
            .monthly(
                calendar: berlin, weekdays: [.nth(-1, .friday)], hours: [17], minutes: [0],
                seconds: [0]),
            from: "2026-01-01 12:00",
            are: ["2026-01-30 17:00 60", "2026-02-27 17:00 60", "2026-03-27 17:00 60"])
    }

    /// A search continues where the last one ended, or begins again.
    @Test func searchesFromAnyDateAgreeWithAList() throws {
        var random = Seeded()
        let calendar = try Calendar.of("America/New_York")
        let rule = Calendar.RecurrenceRule.weekly(
            calendar: calendar, weekdays: [.every(.monday), .every(.friday)], hours: [9, 17],
            minutes: [0], seconds: [0])
        let start = calendar.date("2026-02-01 00:00")
        let all = Array(rule.recurrences(of: start).prefix(100))
        let dates = CalendarDates(.recurring(rule, from: start))
        for _ in 0..<200 {
            let index = random.below(98)
            let after = Bool.random(using: &random) ? all[index] : all[index] + 3600
            let skipping = Bool.random(using: &random)
            #expect(dates.next(after: after, skipping: skipping) == all[index + 1])
        }
    }

    /// `Calendar.current` is a snapshot. The zone is the process's.
    @Test func aChangeOfTheTimeZone() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let berlin = try Calendar.of("Europe/Berlin")
                let tokyo = try Calendar.of("Asia/Tokyo")
                NSTimeZone.default = berlin.timeZone
                let nine = DateComponents(hour: 9)
                func rule(_ calendar: Calendar) -> Calendar.RecurrenceRule {
                    .daily(calendar: calendar, hours: [9], minutes: [0], seconds: [0])
                }
                let start = berlin.date("2026-01-01 12:00")
                let fixed = [
                    CalendarDates(.matching(nine, .current)),
                    CalendarDates(.recurring(rule(.current), from: start)),
                ]
                let following = [
                    CalendarDates(.matching(nine, .autoupdatingCurrent)),
                    CalendarDates(.recurring(rule(.autoupdatingCurrent), from: start)),
                ]
                let first = berlin.date("2026-01-02 09:00")
                for dates in fixed + following {
                    require(dates.next(after: start) == first, "before the change")
                    // As the search ahead does.
                    _ = dates.next(after: first)
                }
                NSTimeZone.default = tokyo.timeZone
                for dates in fixed {
                    require(dates.next(after: first) == first + 86_400, "a snapshot stays")
                }
                for dates in following {
                    let next = dates.next(after: first)
                    require(next == tokyo.date("2026-01-03 09:00"), "not nine in Tokyo")
                }
            }
        }
    }
}
