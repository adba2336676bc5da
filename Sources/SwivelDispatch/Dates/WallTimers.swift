// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import SwivelCore

/// The clock of dates: people and servers set it, so it can step in either direction.
package struct WallClock: Sendable {
    /// The date now.
    package let now: @Sendable () -> Date
    /// How long a timer may sleep before it reads this clock again. `nil`: without a limit, because
    /// each step of the clock is announced.
    package let longestSleep: Duration?
    /// Whether it is the system's, which runs by itself.
    package let isSystem: Bool

    package init(
        longestSleep: Duration? = nil, isSystem: Bool = false,
        now: @escaping @Sendable () -> Date
    ) {
        self.now = now
        self.longestSleep = longestSleep
        self.isSystem = isSystem
    }
}

/// The timers that wait for a date of one wall clock.
package struct WallTimers: Sendable {
    /// The timers of the system's wall clock.
    package static let system: WallTimers = {
        let isTold = ClockSteps.watch { WallTimers.system.clockWasSet() }
        // If steps may go unnoticed, a timer reads the clock once a minute.
        return WallTimers(
            WallClock(longestSleep: isTold ? nil : .seconds(60), isSystem: true) { Date() })
    }()

    package let clock: WallClock
    let table: TimerTable

    /// Timers of `clock`. Handles do not retain them, so they are never released.
    package init(_ clock: WallClock) {
        self.clock = clock
        table = TimerTable()
        // For the handles.
        _ = Unmanaged.passRetained(table)
    }

    /// Arms a timer: `body` fires on `context` once `date` has come. A date that has passed, and
    /// one that never comes, need no check of the wall clock: such a timer is the context's own. A
    /// drain ends a timer that `repeats`: one of a series.
    @discardableResult
    package func schedule(
        at date: Date, on context: any ExecutionContext, leeway: Duration = .zero,
        label: StaticString? = nil, _ body: TimerRequest.Body, repeats: Bool = false,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        checkIsNumber(date, file, line)
        if let capturing = context as? any CapturingContext, let base = capturing.wrapped {
            return schedule(
                at: date, on: base, leeway: leeway, label: label,
                capturing.capturing(body), repeats: repeats, file: file, line: line)
        }
        var request = TimerRequest(
            .after(.zero), leeway: leeway, body, label: label, file: file, line: line)
        if date >= .distantFuture {
            request.start = .at(.never)
        } else if date > clock.now() {
            let entry = WallEntry(table)
            let timer = WallTimer(
                date, request, on: context, repeats: repeats, clock, entry)
            // Before its alarm is set, so that a step of the clock from now on finds it.
            table.insert(timer, entry.id)
            if !timer.setAlarm() { table.remove(entry.id) }
            return entry.handle
        }
        return context.arm(request)
    }

    /// Traps where the mistake is made, not at the date.
    func checkIsNumber(_ date: Date, _ file: StaticString, _ line: UInt) {
        check(
            !date.timeIntervalSinceReferenceDate.isNaN,
            "a timer's date must not be NaN; use Date.distantFuture for one that never fires",
            file: file, line: line)
    }

    /// The wall clock was set: timers that wait for a date move to their new distance. **Thread:**
    /// any.
    package func clockWasSet() {
        table.all.forEach { ($0 as? WallTimer)?.setAlarm() }
    }

    /// Timers whose closure has not been released.
    package var count: Int { table.count }
}

/// Keeps a timer in its table. The closures that will fire hold the entry; when the last of them is
/// released, the timer leaves the table.
final class WallEntry: Sendable {
    let id: UInt64
    let table: TimerTable
    var handle: TimerHandle { TimerHandle(table: table, id: id) }

    init(_ table: TimerTable) {
        id = table.nextID()
        self.table = table
    }

    deinit { table.remove(id) }
}
