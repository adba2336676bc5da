// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import SwivelCore
internal import Synchronization

/// The timers that wait for a date of one wall clock.
///
/// The time is kept by each timer's context, on its own clock, so that shutdown and virtual time treat
/// these timers as all others. A timer looks at the wall clock when it is due, and waits on if its
/// date has not come; and all of them are moved when the wall clock was set.
package struct WallTimers: Sendable {
    /// The timers of the system's wall clock.
    package static var system: WallTimers { FirstUse.of(only) }
    private static let only: WallTimers = {
        let isTold = ClockSteps.watch { WallTimers.system.clockWasSet() }
        // Without word of a step a timer looks for itself, at a minute's distance.
        return WallTimers(WallClock(longestSleep: isTold ? nil : .seconds(60)) { Date() })
    }()

    private let table: WallTable
    private let store: TimerStore

    /// Timers of `clock`, which never go away any more: handles do not retain them.
    package init(_ clock: WallClock) {
        table = WallTable(clock)
        store = TimerStore(table)
    }

    /// Arms a timer: `body` fires on `context`, once `date` has come.
    @discardableResult
    package func schedule(
        at date: Date, on context: any ExecutionContext, leeway: Duration = .zero,
        _ body: TimerRequest.Body, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        // Where the mistake is made, not at the date.
        let target = WallTarget(date, file: file, line: line)
        body.check(file: file, line: line)
        let id = table.nextID()
        let handle = TimerHandle(store: store, id: id)
        let timer = WallTimer(id, handle, table, context, target, leeway: leeway, body)
        // Before its time is measured, so that a step of the clock from now on finds it.
        table.insert(timer)
        timer.place()
        return handle
    }

    /// The wall clock was set: timers that wait for a date are moved to their new distance.
    ///
    /// **Thread:** any.
    package func clockWasSet() {
        table.all.forEach { $0.clockWasSet() }
    }

    /// The clock they wait for.
    package var clock: WallClock { table.clock }

    /// Timers that are not over.
    package var count: Int { table.all.count }
}

/// The timers by the number in their handles.
final class WallTable: TimerKeeper {
    let clock: WallClock
    private let timers = Lock<[UInt64: WallTimer]>([:])
    private let lastID = Atomic<UInt64>(0)

    init(_ clock: WallClock) {
        self.clock = clock
    }

    func nextID() -> UInt64 {
        lastID.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func insert(_ timer: WallTimer) {
        timers.withLock { $0[timer.id] = timer }
    }

    /// Forgets a timer that is over.
    func remove(_ id: UInt64) {
        // Released after the lock.
        _ = timers.withLock { $0.removeValue(forKey: id) }
    }

    var all: [WallTimer] { timers.withLock { Array($0.values) } }

    private func find(_ id: UInt64) -> WallTimer? {
        timers.withLock { $0[id] }
    }

    func cancel(_ id: UInt64) -> CancelResult {
        find(id)?.cancel() ?? .finished
    }

    func rearm(_ id: UInt64, after delay: Duration) -> Bool {
        find(id)?.rearm(after: delay) ?? false
    }

    func isPending(_ id: UInt64) -> Bool {
        find(id)?.isPending ?? false
    }

    func watch(_ id: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
        find(id)?.watch(body) ?? false
    }
}
