// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import SwivelCore

extension WallTimers {
    /// Starts a calendar schedule: `work` runs on `context` at each instant of `rule`. If there is
    /// none, the timer is over, and debug builds report the call.
    @discardableResult
    package func schedule(
        _ rule: CalendarDates.Rule, on context: any ExecutionContext, leeway: Duration = .zero,
        missed: MissedTicks = .skip, label: StaticString? = nil,
        _ work: @escaping @Sendable (WallTick) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TimerHandle {
        if let capturing = context as? any CapturingContext, let base = capturing.wrapped {
            return schedule(
                rule, on: base, leeway: leeway, missed: missed, label: label,
                capturing.capturing(work), file: file, line: line)
        }
        let dates = CalendarDates(rule)
        guard let first = dates.next(after: begin(rule, file, line)) else {
            Diagnostics.report(
                """
                this calendar schedule has no instant in the future and never runs; correct its \
                components or its rule
                """, file: file, line: line)
            return .refused
        }
        let entry = WallEntry(table)
        let timer = CalendarTimer(
            first, of: dates, on: context, leeway: leeway, missed: missed, clock
        ) {
            self.schedule(
                at: $0, on: context, leeway: $1, label: label, .once($2), repeats: true,
                file: file, line: line)
        }
        table.insert(timer, entry.id)
        timer.begin(work, entry)
        return entry.handle
    }

    /// The date after which the first instant lies: the call's, or just before a rule's start. The
    /// start `.now` is read before the call, so one of the last second counts.
    private func begin(_ rule: CalendarDates.Rule, _ file: StaticString, _ line: UInt) -> Date {
        let now = clock.now()
        guard case .recurring(_, let start) = rule else { return now }
        checkIsNumber(start, file, line)
        guard start > now - 1 else { return now }
        return start.justBefore
    }
}

extension CapturingContext {
    /// `work` with what the caller has now, for firings that follow each other.
    fileprivate func capturing(
        _ work: @escaping @Sendable (WallTick) -> Void
    ) -> @Sendable (WallTick) -> Void {
        let current = Lock<WallTick?>(nil)
        let body = capturing(
            .once {
                if let tick = current.withLock({ $0 }) { work(tick) }
            })
        guard case .once(let run) = body else { return work }
        return { tick in
            current.withLock { $0 = tick }
            run()
        }
    }
}
