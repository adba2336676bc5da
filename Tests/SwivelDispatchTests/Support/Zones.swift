// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import SwivelDispatch

extension Calendar {
    /// The Gregorian calendar in this time zone.
    static func of(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: zone) else { throw CocoaError(.featureUnsupported) }
        calendar.timeZone = zone
        return calendar
    }

    /// The date of a text such as `2026-03-27 09:00`.
    func date(_ text: String) -> Date {
        let parts = text.split { "- :".contains($0) }.compactMap { Int($0) }
        let day = DateComponents(
            year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4])
        return date(from: day) ?? .distantPast
    }

    /// The reading of a clock, with its distance from Greenwich in minutes.
    func text(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: timeZone).dateTimeSeparator(.space)
        let minutes = timeZone.secondsFromGMT(for: date) / 60
        return "\(date.formatted(style).prefix(16)) \(minutes)"
    }
}

extension CalendarDates {
    /// The first instants after `date`.
    func first(_ count: Int, after date: Date) -> [Date] {
        let dates = sequence(state: date) { last -> Date? in
            guard let next = self.next(after: last) else { return nil }
            last = next
            return next
        }
        return Array(dates.prefix(count))
    }
}
