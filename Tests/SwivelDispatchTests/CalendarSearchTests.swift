// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelTestSupport
@testable import SwivelDispatch
import Testing

/// Guarantee T7: a calendar schedule has each instant that matches, whatever was searched before.
@Suite struct CalendarSearchTests {
    /// A reference that looks at each day, for components with larger ones left out between.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "GMT"])
    func t7RandomDaysAgreeWithAScanOfDays(zone: String) throws {
        var random = Seeded()
        let calendar = try Calendar.of(zone)
        let start = calendar.date("2026-01-01 00:00")
        let days = (0..<1_200).compactMap { calendar.date(byAdding: .day, value: $0, to: start) }
        for _ in 0..<100 {
            var day = DateComponents()
            func maybe(_ range: ClosedRange<Int>) -> Int? {
                Bool.random(using: &random) ? .random(in: range, using: &random) : nil
            }
            (day.year, day.month) = (maybe(2026...2028), maybe(1...12))
            if Bool.random(using: &random) {
                day.day = maybe(1...31)
            } else {
                day.weekday = maybe(1...7)
                if day.weekday != nil { day.weekdayOrdinal = maybe(1...5) }
            }
            // Without one, the day begins.
            let isDay = day.day != nil || day.weekday != nil
            let hour = isDay && Bool.random(using: &random) ? nil : maybe(4...23) ?? 9
            let expected = days.filter { calendar.date($0, matchesComponents: day) }
                .compactMap {
                    calendar.date(bySettingHour: hour ?? 0, minute: 0, second: 0, of: $0)
                }
            var components = day
            components.hour = hour
            let dates = CalendarDates(.matching(components, calendar))
            let count = min(expected.count, 40)
            let first = Int.random(in: 0...expected.count - count, using: &random)
            let after = first == 0 ? start - 1 : expected[first - 1]
            #expect(
                dates.first(count, after: after) == Array(expected[first..<first + count]),
                "\(components) after \(after)")
        }
    }

    /// Searches ahead, in whatever order, change no result.
    @Test func whatWasSearchedBeforeChangesNothing() throws {
        var random = Seeded()
        let calendar = try Calendar.of("Europe/Berlin")
        let start = calendar.date("2026-03-28 12:00")
        var hourly = Calendar.RecurrenceRule(calendar: calendar, frequency: .hourly)
        hourly.interval = 5
        for rule in [
            .matching(DateComponents(minute: 30), calendar),
            .matching(DateComponents(year: 2026, month: 3, hour: 9), calendar),
            .recurring(hourly, from: start),
        ] as [CalendarDates.Rule] {
            let dates = CalendarDates(rule)
            var date = start
            for _ in 0..<200 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: date = dates.next(after: date) ?? start
                case 1: date = start + .random(in: 0...400_000, using: &random)
                default: break
                }
                let ahead = dates.next(after: date).flatMap { dates.next(after: $0) }
                let expected = CalendarDates(rule).next(after: date)
                #expect(dates.next(after: date) == expected)
                #expect(ahead == expected.flatMap { CalendarDates(rule).next(after: $0) })
            }
        }
    }
}
