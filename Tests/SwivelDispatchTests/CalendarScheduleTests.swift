// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
@testable import SwivelDispatch
import Testing

/// Guarantee T7: calendar schedules fire once for each instant.
@Suite(.offPool) struct CalendarScheduleTests {
    private let probe = Probe()
    private let ticks = Shared<[String]>([])

    /// Nine o'clock comes 10,000 s after the start of the test's wall clock.
    private func schedule(
        _ wall: TestWall, missed: MissedTicks = .skip,
        _ work: @escaping @Sendable (WallTick) -> Void = { _ in }
    ) throws -> TimerHandle {
        wall.timers.schedule(
            .matching(DateComponents(hour: 9), try Calendar.of("GMT")), on: wall.loop,
            missed: missed, label: "nine", recorded(work))
    }

    private func recorded(
        _ work: @escaping @Sendable (WallTick) -> Void
    ) -> @Sendable (WallTick) -> Void {
        probe.work { [ticks] tick in
            let day = (tick.scheduled.timeIntervalSince(TestWall.start) - 10_000) / 86_400
            let late = Int(tick.lateness / .seconds(3600))
            ticks.append("\(tick.index): day \(day), \(late) h late, missed \(tick.missed)")
            work(tick)
        }
    }

    @Test func everyDayAtNine() throws {
        let wall = try TestWall()
        let timer = try schedule(wall)
        wall.advance(9_999.9)
        #expect(ticks.value.isEmpty)
        wall.advance(0.2)
        #expect(ticks.value == ["0: day 0.0, 0 h late, missed 0"])
        wall.advance(2 * 86_400)
        #expect(
            ticks.value.dropFirst() == [
                "1: day 1.0, 0 h late, missed 0", "2: day 2.0, 0 h late, missed 0",
            ])
        #expect(wall.loop.metrics.fired == 3)
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
    }

    @Test func t7AfterAStepBackNoInstantFiresAgain() throws {
        let wall = try TestWall()
        let timer = try schedule(wall)
        wall.advance(10_001)
        wall.step(-3600)
        wall.advance(7200)
        wall.step(-86_400)
        wall.advance(86_400)
        #expect(ticks.value.count == 1)
        wall.advance(86_400)
        #expect(ticks.value.last == "1: day 1.0, 0 h late, missed 0")
        timer.cancel()
    }

    @Test(
        arguments: zip(
            [MissedTicks.skip, .delay, .burst],
            [
                ["2: day 2.0, 3 h late, missed 2", "3: day 3.0, 0 h late, missed 0"],
                ["0: day 0.0, 51 h late, missed 2", "1: day 3.0, 0 h late, missed 0"],
                [
                    "0: day 0.0, 51 h late, missed 0", "1: day 1.0, 27 h late, missed 0",
                    "2: day 2.0, 3 h late, missed 0", "3: day 3.0, 0 h late, missed 0",
                ],
            ]))
    func t4AStepForwardMissesInstants(_ missed: MissedTicks, _ expected: [String]) throws {
        let wall = try TestWall()
        let timer = try schedule(wall, missed: missed)
        wall.advance(1)
        wall.step(2 * 86_400 + 10_000 + 3 * 3600)
        wall.advance(86_400)
        #expect(ticks.value == expected)
        #expect(wall.loop.metrics.missed == (missed == .burst ? 0 : 2))
        timer.cancel()
    }

    /// A machine without a clock of its own begins years ago.
    @Test func aStepOverYearsVisitsAThousandInstants() throws {
        let wall = try TestWall()
        let timer = try schedule(wall)
        wall.advance(1)
        wall.step(1_500 * 86_400 + 10_000)
        wall.advance(86_400)
        #expect(
            ticks.value == [
                "1000: day 1000.0, 12000 h late, missed 1000",
                "1001: day 1501.0, 0 h late, missed 0",
            ])
        timer.cancel()
    }

    @Test func t9LeewayCostsNoTick() throws {
        let wall = try TestWall()
        let timer = wall.timers.schedule(
            .matching(DateComponents(second: 0), try Calendar.of("GMT")), on: wall.loop,
            leeway: .seconds(3600), recorded { _ in })
        wall.advance(3600)
        #expect(ticks.value.count >= 59)
        #expect(ticks.value.allSatisfy { $0.hasSuffix("missed 0") })
        timer.cancel()
    }

    @Test func c1CancelReleasesTheClosureAtOnce() throws {
        let wall = try TestWall()
        for seconds in [1.0, 86_400] {
            let timer = try schedule(wall)
            wall.advance(seconds)
            let released = probe.released
            #expect(timer.cancel() == .cancelled)
            #expect(probe.released == released + 1)
            #expect(!timer.isPending)
            #expect(timer.cancel() == .finished)
            #expect(!timer.rearm(after: .zero))
        }
        #expect(ticks.value.count == 1)
        #expect(wall.timers.count == 0)
        #expect(wall.loop.metrics.pending == 0)
    }

    /// While the closure runs, and after it has cancelled the schedule there.
    @Test func s7AScheduleIsPendingUntilItsEnd() throws {
        let wall = try TestWall()
        let (loop, pending) = (wall.loop, Shared<[Int]>([]))
        _ = try schedule(wall) { tick in
            pending.append(loop.metrics.pending)
            if tick.index == 1 { tick.cancel() }
            pending.append(loop.metrics.pending)
        }
        #expect(loop.metrics.pending == 1)
        wall.advance(2 * 86_400)
        #expect(pending.value == [1, 1, 1, 0])
        #expect(loop.metrics.pending == 0)
        #expect(loop.metrics.cancelled == 1)
    }

    @Test func c1ATickThatCancelsIsTheLast() throws {
        let wall = try TestWall()
        let results = Shared<[CancelResult]>([])
        let timer = try schedule(wall) { [probe] tick in
            results.append(tick.handle.cancel())
            tick.cancel()
            #expect(probe.released == 0)
            #expect(!tick.handle.isPending)
        }
        wall.advance(10 * 86_400)
        #expect(results.value == [.running])
        #expect(probe.released == 1)
        #expect(timer.cancel() == .finished)
        #expect(wall.timers.count == 0)
    }

    @Test func afterTheLastRecurrenceNothingIsLeft() throws {
        let wall = try TestWall()
        let isPending = Shared<[Bool]>([])
        let rule = Calendar.RecurrenceRule.daily(
            calendar: try Calendar.of("GMT"), end: .afterOccurrences(3))
        let timer = wall.timers.schedule(
            .recurring(rule, from: wall.now), on: wall.loop,
            recorded { isPending.append($0.handle.isPending) })
        wall.runDue()
        // The start is a recurrence, and due.
        #expect(ticks.value.count == 1)
        wall.advance(10 * 86_400)
        #expect(ticks.value.count == 3)
        #expect(isPending.value == [true, true, false])
        #expect(probe.released == 1)
        #expect(timer.cancel() == .finished)
        #expect(wall.timers.count == 0)
        #expect(wall.loop.metrics.pending == 0)
    }

    @Test func recurrencesBeforeTheCallDoNotFire() throws {
        let wall = try TestWall()
        let rule = Calendar.RecurrenceRule.daily(calendar: try Calendar.of("GMT"))
        let start = TestWall.start + 10_000 - 10 * 86_400
        let timer = wall.timers.schedule(
            .recurring(rule, from: start), on: wall.loop, recorded { _ in })
        wall.advance(10_001)
        #expect(ticks.value == ["0: day 0.0, 0 h late, missed 0"])
        timer.cancel()
    }

    @Test func v2ThePendingListHasOneEntryWithTheLabel() throws {
        let wall = try TestWall()
        let timer = try schedule(wall)
        for _ in 0..<2 {
            #expect(wall.loop.pending.map(\.label) == ["nine"])
            #expect(wall.loop.metrics.pending == 1)
            wall.advance(86_400)
        }
        timer.cancel()
        #expect(wall.loop.pending.isEmpty)
    }

    @Test func rearmMovesTheNextFiring() throws {
        let wall = try TestWall()
        let timer = try schedule(wall) { tick in
            // While the closure runs, the next one moves.
            if tick.index == 1 { #expect(tick.handle.rearm(after: .seconds(60))) }
        }
        #expect(timer.rearm(after: .seconds(5)))
        wall.advance(6)
        #expect(ticks.value == ["0: day 0.0, 0 h late, missed 0"])
        wall.advance(86_400 + 9_995)
        #expect(ticks.value.count == 2)
        wall.advance(58)
        #expect(ticks.value.count == 2)
        wall.advance(2)
        #expect(ticks.value.last == "2: day 2.0, 0 h late, missed 0")
        wall.advance(3 * 86_400)
        #expect(ticks.value.last == "4: day 4.0, 0 h late, missed 0")
        timer.cancel()
    }

    @Test func s1ShutdownReleasesTheClosureAndCountsIt() throws {
        for mode in [ShutdownMode.cancelPending, .drain(within: .seconds(10 * 86_400))] {
            let wall = try TestWall()
            let timer = try schedule(wall)
            wall.advance(86_400)
            let report = wall.loop.shutdown(mode)
            #expect(report.cancelledTimers == 1)
            #expect(!timer.isPending)
            #expect(wall.timers.count == 0)
        }
        #expect(ticks.value.count == 2)
        #expect(probe.released == 2)
    }

    @Test func s1AClosureThatShutsItsLoopDownIsTheLast() throws {
        let wall = try TestWall()
        let loop = wall.loop
        _ = try schedule(wall, missed: .burst) { _ in loop.shutdown(.drain(within: .seconds(60))) }
        wall.step(10 * 86_400)
        #expect(ticks.value.count == 1)
        #expect(probe.released == 1)
        #expect(wall.timers.count == 0)
        let refused = try schedule(wall)
        #expect(probe.released == 2)
        #expect(!refused.isPending)
    }

    @Test func everyTickSeesItsCallersTaskLocalValues() throws {
        let (wall, seen) = (try TestWall(), Shared<[String]>([]))
        let timer = try Zone.$name.withValue("mine") {
            wall.timers.schedule(
                .matching(DateComponents(hour: 9), try Calendar.of("GMT")),
                on: wall.loop.inheritingTaskLocals,
                recorded { _ in seen.append(Zone.name) })
        }
        Zone.$name.withValue("other") { wall.advance(86_400 + 10_001) }
        #expect(seen.value == ["mine", "mine"])
        #expect(ticks.value.last == "1: day 1.0, 0 h late, missed 0")
        timer.cancel()
    }

    /// It is over at once, and debug builds report it.
    @Test func aScheduleWithoutAnInstantIsOver() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let loop = try Loop.manual()
            let probe = Probe()
            let timer = loop.schedule(matching: DateComponents(month: 2, day: 30), probe.work())
            require(!timer.isPending && timer.cancel() == .finished, "it is not over")
            require(probe.released == 1 && loop.pending.isEmpty, "something is left")
        }
        #if DEBUG
        #expect(printed("this calendar schedule has no instant in the future", result))
        #else
        #expect(!printed("calendar", result))
        #endif
    }
}

private enum Zone {
    @TaskLocal static var name = "none"
}
