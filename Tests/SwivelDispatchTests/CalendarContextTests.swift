// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
@testable import SwivelDispatch
import Testing

/// Calendar schedules on contexts with real time.
@Suite(.offPool) struct CalendarContextTests {
    private let queue = DispatchQueue(label: "test.calendar")
    private let probe = Probe()

    /// Timers of a wall clock on which a millisecond is a second. They are never released.
    private static let fast = {
        let start = Date()
        return WallTimers(
            WallClock(longestSleep: .milliseconds(1)) {
                TestWall.start + 1000 * Date().timeIntervalSince(start)
            })
    }()

    /// Each second.
    private func schedule(
        on context: some ExecutionContext, _ work: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        Self.fast.schedule(
            .matching(DateComponents(nanosecond: 0), Calendar(identifier: .gregorian)), on: context
        ) { _ in work() }
    }

    @Test func thePublicFormsFire() throws {
        let everySecond = DateComponents(nanosecond: 0)
        let loop = try Loop()
        let calendar = try Calendar.of("GMT")
        let timers = [
            loop.schedule(matching: everySecond, in: calendar, probe.work { (_: WallTick) in }),
            queue.schedule(matching: everySecond, probe.work()),
        ]
        let once = Calendar.RecurrenceRule.daily(calendar: calendar, end: .afterOccurrences(1))
        loop.schedule(once, probe.work { (tick: WallTick) in #expect(tick.index == 0) })
        queue.schedule(once, probe.work())
        probe.waitForRuns(4)
        probe.waitForReleases(2)
        timers.forEach { $0.cancel() }
        probe.waitForReleases(4)
        loop.shutdown()
    }

    @Test func c2EveryRaceOfFireAndCancelHasOneWinner() {
        let calendar = Calendar(identifier: .gregorian)
        checkCancelRaces(on: queue, probe, rounds: 500, checks: 20) { round in
            let start = Date(timeIntervalSinceNow: Double(round % 50) * 1e-6)
            return queue.schedule(
                .daily(calendar: calendar, end: .afterOccurrences(1)), startingAt: start,
                probe.work())
        }
    }

    /// Some cancels come between two firings, while the next one is armed.
    @Test func c2AfterACancelTheClosureHasBeenReleased() throws {
        let loop = try Loop()
        for round in 0..<300 {
            let probe = Probe()
            let timer = schedule(on: loop, probe.work())
            probe.waitForRuns(1 + round % 3)
            if timer.cancel() == .cancelled { #expect(probe.released == 1) }
            probe.waitForReleases()
        }
        #expect(eventually { Self.fast.count == 0 })
        loop.shutdown()
    }

    @Test func cancelAndWaitAndTheEndComeAfterTheRelease() async throws {
        let loop = try Loop()
        await checkCancelAndWait { schedule(on: loop, $0) }
        await checkCancelAndWait { schedule(on: queue, $0) }
        checkEndComesAfterTheRelease { schedule(on: loop, $0) }
        checkEndComesAfterTheRelease { schedule(on: queue, $0) }
        await loop.shutdown()
    }
}
