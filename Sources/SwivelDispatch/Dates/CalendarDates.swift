// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import SwivelCore

/// The instants of a calendar schedule, in order.
///
/// A search takes some microseconds, or many milliseconds if the next match is years away. The
/// latest result is kept, so that another thread can search ahead.
package final class CalendarDates: Sendable {
    package enum Rule: Sendable {
        case matching(DateComponents, Calendar)
        case recurring(Calendar.RecurrenceRule, from: Date)

        /// The present time zone of the rule's calendar.
        fileprivate var timeZone: TimeZone {
            switch self {
            case .matching(let components, let calendar): components.timeZone ?? calendar.timeZone
            case .recurring(let rule, _): rule.calendar.timeZone
            }
        }
    }

    private struct Search {
        /// The latest search began after this date, in this time zone. At first: none did.
        var date = Date.distantFuture
        var zone = ""
        var result: Date?
        /// A rule finds its recurrences from its start on, one after another.
        var recurrences: (any IteratorProtocol<Date>)?
    }

    private let rule: Rule
    private let search = Lock(Search())

    package init(_ rule: Rule) { self.rule = rule }

    /// The first instant after `date`; `nil`: there is none. After a change of the calendar's time
    /// zone it is one of the new zone's. With `skipping`, recurrences up to `date` are not visited.
    package func next(after date: Date, skipping: Bool = false) -> Date? {
        search.withLock { search in
            let zone = rule.timeZone
            let isAhead = date >= search.date && zone.identifier == search.zone && !skipping
            if isAhead, search.result.map({ $0 > date }) ?? true { return search.result }
            switch rule {
            case .matching(let components, let calendar):
                let readings = ClockReadings(components, calendar, zone)
                search.result = readings.next(after: date)
            case .recurring(let rule, let start):
                // Those of a limited number are counted from the start on.
                let isCounted = rule.end.occurrences != nil || date >= .distantFuture
                let range = isCounted ? nil : date..<Date.distantFuture
                var recurrences: any IteratorProtocol<Date> =
                    (isAhead ? search.recurrences : nil)
                    ?? rule.recurrences(of: start, in: range).makeIterator()
                repeat {
                    search.result = recurrences.next()
                } while search.result.map({ $0 <= date }) ?? false
                search.recurrences = recurrences
            }
            (search.date, search.zone) = (date, zone.identifier)
            return search.result
        }
    }
}
