// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import SwivelCore

/// The instants of a calendar schedule, in order.
///
/// A search takes some microseconds, or many milliseconds if the next match is years away. The
/// latest two results are kept, so that another thread can search ahead.
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
        /// The first instants after this date, in this time zone; the last may be that there is no
        /// further one. At first: none was searched for.
        var date = Date.distantFuture
        var zone = ""
        var results: [Date?] = []
        /// A rule finds its recurrences from its start on, one after another.
        var recurrences: (any IteratorProtocol<Date>)?

        mutating func keep(_ result: Date?, after date: Date, _ zone: String) {
            if self.zone == zone, let last = results.last, last == date {
                // Two at most: this one, and the one before.
                if results.count == 2, let first = results[0] { self.date = first }
                results = [last, result]
            } else {
                (self.date, self.zone, results) = (date, zone, [result])
            }
        }
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
            if isAhead, let known = search.results.first(where: { $0.map { $0 > date } ?? true }) {
                return known
            }
            let result: Date?
            switch rule {
            case .matching(let components, let calendar):
                result = ClockReadings(components, calendar, zone).next(after: date)
            case .recurring(let rule, let start):
                // Those of a limited number are counted from the start on.
                let isCounted = rule.end.occurrences != nil || date >= .distantFuture
                let range = isCounted ? nil : date..<Date.distantFuture
                var recurrences: any IteratorProtocol<Date> =
                    (isAhead ? search.recurrences : nil)
                    ?? rule.recurrences(of: start, in: range).makeIterator()
                var found: Date?
                repeat {
                    found = recurrences.next()
                } while found.map({ $0 <= date }) ?? false
                result = found
                search.recurrences = recurrences
            }
            search.keep(result, after: date, zone.identifier)
            return result
        }
    }
}
