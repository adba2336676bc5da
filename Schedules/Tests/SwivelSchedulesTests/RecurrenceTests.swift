// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import Testing

@testable import SwivelSchedules

@Suite struct RecurrenceTests {
    private static func instants(
        _ recurrence: Recurrence, from start: String, count: Int
    ) throws -> [String] {
        // As the database stores it.
        let stored = try JSONDecoder().decode(
            Recurrence.self, from: JSONEncoder().encode(recurrence))
        let occurrences = try Recurrence.Occurrences(stored)
        var dates: [Date] = []
        var next = stored.first(from: try date(start))
        while let date = next, dates.count < count {
            dates.append(date)
            next = occurrences.next(after: date)
        }
        return dates.map { $0.formatted(.iso8601) }
    }

    private static func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    private static func zone(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name))
    }

    /// Both changes of daylight saving, in zones that shift by an hour and by half of one.
    @Test(arguments: [
        // Half past two does not exist in March, and comes twice in October.
        (
            "Europe/Berlin", 2, 30, "2027-03-27T00:00:00Z",
            ["2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"]
        ),
        (
            "Europe/Berlin", 2, 30, "2027-10-30T00:00:00Z",
            ["2027-10-30T00:30:00Z", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"]
        ),
        (
            "America/New_York", 2, 15, "2027-03-13T05:00:00Z",
            ["2027-03-13T07:15:00Z", "2027-03-14T07:00:00Z", "2027-03-15T06:15:00Z"]
        ),
        (
            "America/New_York", 1, 15, "2027-11-06T05:00:00Z",
            ["2027-11-06T05:15:00Z", "2027-11-07T05:15:00Z", "2027-11-08T06:15:00Z"]
        ),
        // Lord Howe's clocks change by 30 minutes.
        (
            "Australia/Lord_Howe", 2, 15, "2027-10-01T14:00:00Z",
            ["2027-10-01T15:45:00Z", "2027-10-02T15:30:00Z", "2027-10-03T15:15:00Z"]
        ),
        (
            "Australia/Lord_Howe", 1, 45, "2027-04-02T13:00:00Z",
            ["2027-04-02T14:45:00Z", "2027-04-03T14:45:00Z", "2027-04-04T15:15:00Z"]
        ),
    ])
    func aDailyTickComesOnceADay(
        zone: String, hour: Int, minute: Int, start: String, expected: [String]
    ) throws {
        let daily = Recurrence.daily(hour: hour, minute: minute, in: try Self.zone(zone))
        #expect(try Self.instants(daily, from: start, count: 3) == expected)
    }

    @Test func aRuleEnds() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try Self.zone("Europe/Berlin")
        let rule = Calendar.RecurrenceRule(
            calendar: calendar, frequency: .weekly, end: .afterOccurrences(3),
            weekdays: [.every(.friday)], hours: [17], minutes: [0], seconds: [0])
        let start = try Self.date("2027-03-19T00:00:00Z")
        #expect(
            try Self.instants(
                .recurring(rule, startingAt: start), from: "2027-03-19T00:00:00Z", count: 9)
                == ["2027-03-19T16:00:00Z", "2027-03-26T16:00:00Z", "2027-04-02T15:00:00Z"])
    }

    /// Processes with other settings store the same recurrence.
    @Test func settingsOfTheProcessDoNotCount() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try Self.zone("Europe/Berlin")
        calendar.locale = Locale(identifier: "de_DE")
        var other = calendar
        other.locale = Locale(identifier: "ja_JP")
        (other.firstWeekday, other.minimumDaysInFirstWeek) =
            (calendar.firstWeekday, calendar.minimumDaysInFirstWeek)
        let components = DateComponents(hour: 3)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        #expect(
            try encoder.encode(Recurrence.matching(components, in: calendar))
                == encoder.encode(Recurrence.matching(components, in: other)))
        let following = try encoder.encode(
            Recurrence.matching(components, in: .autoupdatingCurrent))
        #expect(!String(decoding: following, as: UTF8.self).contains("autoupdating\":true"))
        #expect(!String(decoding: following, as: UTF8.self).contains("\"current\":2"))
    }

    @Test func onceIsOnce() throws {
        let date = try Self.date("2027-01-01T00:00:00Z")
        #expect(
            try Self.instants(.once(at: date), from: "2028-01-01T00:00:00Z", count: 9)
                == ["2027-01-01T00:00:00Z"])
    }

    /// Missed ticks, against a model that visits each instant.
    @Test func policiesAgreeWithAModel() throws {
        var random = SystemRandomNumberGenerator()
        let berlin = try Self.zone("Europe/Berlin")
        for round in 0..<400 {
            let interval = Double(Int.random(in: 1...5_000, using: &random)) / 10
            let calendars = [
                Recurrence.every(.seconds(interval)), .daily(hour: 3, in: berlin),
                .matching(DateComponents(minute: 7), in: Calendar(identifier: .gregorian)),
            ]
            let recurrence = try #require(calendars.randomElement(using: &random))
            let occurrences = try Recurrence.Occurrences(recurrence)
            let due = try #require(
                try Recurrence.Occurrences(calendars[1]).next(
                    after: Date(timeIntervalSince1970: 1_800_000_000)))
            let now = due + Double.random(in: 0...100_000, using: &random)
            var latest = due
            while let next = occurrences.next(after: latest), next <= now { latest = next }
            let following = occurrences.next(after: latest)
            let tolerance = Double.random(in: 0...500, using: &random)

            let note: Comment = "round \(round): \(recurrence), \(due), \(now)"
            let all = MissedTickPolicy.all.plan(
                due, at: now, isRetry: false, hasBegun: false, occurrences)
            #expect(all.fires == due && all.next == occurrences.next(after: due), note)
            let last = MissedTickPolicy.latest.plan(
                due, at: now, isRetry: false, hasBegun: false, occurrences)
            #expect(isNear(last.fires, latest) && isNear(last.next, following), note)
            let skip = MissedTickPolicy.skip(after: .seconds(tolerance))
                .plan(due, at: now, isRetry: false, hasBegun: false, occurrences)
            #expect(isNear(skip.next, following), note)
            if abs(now.timeIntervalSince(latest) - tolerance) > 0.001 {
                #expect((skip.fires == nil) == (now.timeIntervalSince(latest) > tolerance), note)
            }
            // A tick that has failed before stays the same one.
            let retry = MissedTickPolicy.latest.plan(
                due, at: now, isRetry: true, hasBegun: true, occurrences)
            #expect(retry.fires == due, note)
        }
    }

    private func isNear(_ one: Date?, _ other: Date?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one.timeIntervalSince(other)) < 0.000_01
    }

    /// A night of instants each second is more than is visited one by one.
    @Test func aLongOutageOfADenseCalendarIsShort() throws {
        let recurrence = Recurrence.matching(
            DateComponents(nanosecond: 0), in: Calendar(identifier: .gregorian))
        let first = try Self.date("2027-01-01T00:00:00Z")
        let latest = try Recurrence.Occurrences(recurrence).latest(
            from: first, by: first + 36_000.5)
        #expect(latest == first + 36_000)
    }

    @Test func policiesSurviveTheirRow() {
        for policy in [MissedTickPolicy.all, .latest, .skip, .skip(after: .milliseconds(1))] {
            #expect(MissedTickPolicy(text: policy.text) == policy)
        }
        #expect(MissedTickPolicy(text: "soon") == nil)
    }
}
