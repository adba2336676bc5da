// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
@testable import SwivelDispatch
import SwivelTestSupport
import Testing

/// One handle for the whole life of a timer that waits for a date.
@Suite(.offPool) struct DateHandleTests {
    private let probe = Probe()

    @Test func c1CancelReleasesTheClosureAtOnceAndTheSecondFindsItOver() throws {
        let wall = try TestWall()
        let timer = wall.schedule(at: 10, probe.work())
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
        #expect(!timer.isPending)
        #expect(timer.cancel() == .finished)
        #expect(!timer.rearm(after: .zero))
        #expect(wall.timers.count == 0)
        wall.advance(20)
        #expect(probe.ran == 0)
        #expect(wall.loop.metrics.pending == 0)
    }

    @Test func theHandleStaysGoodWhenTheTimerIsMovedByStepsAndWaitsOn() throws {
        let wall = try TestWall()
        let timer = wall.schedule(at: 10, probe.work())
        wall.step(5)
        wall.step(-50, isTold: false)
        wall.advance(6)
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
        wall.advance(1000)
        #expect(probe.ran == 0)
    }

    @Test func rearmGivesADeadlineOnTheLoopsClockInPlaceOfTheDate() throws {
        let wall = try TestWall()
        let sooner = wall.schedule(at: 1000, probe.work())
        #expect(sooner.rearm(after: .seconds(5)))
        wall.step(-3600)
        wall.advance(4.999)
        #expect(probe.ran == 0)
        wall.advance(0.001)
        #expect(probe.ran == 1)

        let later = wall.schedule(at: 10, probe.work())
        #expect(later.rearm(after: .seconds(7200)))
        wall.step(86_400)
        wall.advance(7199)
        #expect(probe.ran == 1)
        wall.advance(1)
        #expect(probe.ran == 2)
        #expect(!later.rearm(after: .zero))
    }

    @Test func aTimerThatNeverFiresCanBeRearmed() throws {
        let wall = try TestWall()
        let timer = wall.timers.schedule(
            at: .distantFuture, on: wall.loop, .once(probe.work()))
        #expect(timer.rearm(after: .zero))
        wall.settle()
        #expect(probe.ran == 1)
    }

    @Test func insideTheClosureItIsRunningAndTheTimerIsNotPending() throws {
        let wall = try TestWall()
        let handle = Shared<TimerHandle?>(nil)
        handle.value = wall.schedule(
            at: 1,
            probe.work {
                #expect(handle.value?.isPending == false)
                #expect(handle.value?.rearm(after: .zero) == false)
                #expect(handle.value?.cancel() == .running)
            })
        wall.advance(2)
        #expect(probe.ran == 1)
        #expect(handle.value?.cancel() == .finished)
        #expect(wall.timers.count == 0)
    }

    @Test func s1ShutdownReleasesTheClosureAndCountsIt() throws {
        let wall = try TestWall()
        let timers = [
            wall.schedule(at: 10, probe.work()),
            wall.timers.schedule(at: .distantFuture, on: wall.loop, .once(probe.work())),
            wall.timers.schedule(
                at: TestWall.start, on: wall.loop,
                .every(.seconds(1), missed: .skip, jitter: nil, probe.work { (_: Tick) in })),
        ]
        wall.settle()
        #expect(probe.ran == 1)
        let report = wall.loop.shutdown(.cancelPending)
        #expect(report.cancelledTimers == 3)
        #expect(probe.released == 3)
        #expect(timers.allSatisfy { !$0.isPending && $0.cancel() == .finished })
        #expect(wall.timers.count == 0)
    }

    @Test func s2OnALoopThatIsShutDownADateIsRefused() throws {
        let wall = try TestWall()
        wall.loop.shutdown(.cancelPending)
        let timer = wall.schedule(at: 10, probe.work())
        #expect(probe.released == 1)
        #expect(!timer.isPending)
        #expect(timer.cancel() == .finished)
        #expect(wall.timers.count == 0)
    }

    @Test func c5AClosureThatIsReleasedMayUseTheTimersAgain() throws {
        let wall = try TestWall()
        let again = Probe()
        let timer = wall.schedule(
            at: 10,
            probe.reentrant {
                wall.schedule(at: 5, again.work())
                wall.timers.clockWasSet()
            })
        #expect(timer.cancel() == .cancelled)
        wall.advance(6)
        #expect(again.ran == 1)
    }

    @Test func c6OnASuspendedQueueADateIsCancelledThoughItIsDue() {
        let queue = DispatchQueue(label: "test.dates")
        queue.suspend()
        let timer = queue.schedule(at: .distantPast, probe.work())
        let gate = Gate()
        Loop.shared.schedule(after: .milliseconds(2)) { gate.open() }
        gate.wait()
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
        queue.resume()
        queue.sync {}
        #expect(probe.ran == 0)
    }

    @Test func aContextThatDropsItsWorkEndsTheTimer() {
        let context = AnyContext { _ in }
        let timer = context.schedule(at: .distantPast, probe.work())
        probe.waitForReleases()
        #expect(probe.ran == 0)
        #expect(!timer.isPending)
    }

    @Test func cancelAndWaitReturnsWhenTheClosureHasBeenReleased() async {
        let queue = DispatchQueue(label: "test.dates")
        await checkCancelAndWait { queue.schedule(at: .distantPast, $0) }
    }

    @Test func c2EveryRaceOfFireStepRearmAndCancelHasOneWinner() {
        let queue = DispatchQueue(label: "test.dates")
        let cancelled = Shared(0)
        let rounds = 1_000
        for round in 0..<rounds {
            let timer = queue.schedule(
                at: Date(timeIntervalSinceNow: Double(round % 50) * 1e-6), probe.work())
            switch round % 3 {
            case 0: WallTimers.system.clockWasSet()
            case 1: timer.rearm(after: .microseconds(20))
            default: break
            }
            for _ in 0..<(round % 40) * 20 { _ = timer.isPending }
            if timer.cancel() == .cancelled { cancelled.update { $0 += 1 } }
        }
        probe.waitForReleases(rounds)
        queue.sync {}
        #expect(probe.ran + cancelled.value == rounds)
        #expect(probe.released == rounds)
    }
}

/// Repeats that start at a date.
@Suite(.offPool) struct DateRepeatTests {
    private let probe = Probe()

    private func schedule(
        _ wall: TestWall, at seconds: Double, _ work: @escaping @Sendable (Tick) -> Void
    ) -> TimerHandle {
        wall.timers.schedule(
            at: TestWall.start + seconds, on: wall.loop,
            .every(.seconds(1), missed: .skip, jitter: nil, probe.work(work)))
    }

    @Test func t3TheGridStartsAtTheDateAndKeepsToTheLoopsClock() throws {
        let wall = try TestWall()
        let ticks = Shared<[String]>([])
        let timer = schedule(wall, at: 10) { tick in
            let late = tick.lateness >= .milliseconds(1) ? "late" : "in time"
            ticks.update {
                $0.append("\(tick.index) at \(wall.elapsed.rounded()), \(late), \(tick.missed)")
            }
        }
        wall.advance(9.9)
        #expect(ticks.value.isEmpty)
        wall.advance(1.2)
        // The wall clock decides the first instant only.
        wall.step(-3600)
        wall.advance(1)
        wall.step(7200)
        wall.advance(1)
        #expect(
            ticks.value == [
                "0 at 10.0, in time, 0", "1 at 11.0, in time, 0", "2 at 12.0, in time, 0",
                "3 at 13.0, in time, 0",
            ])
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
    }

    /// T9: neither the date's leeway nor the grid's costs a tick.
    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func t9LeewayCostsNoTick(_ missed: MissedTicks) throws {
        let wall = try TestWall()
        let ticks = Shared<[Tick]>([])
        let timer = wall.timers.schedule(
            at: TestWall.start + 10, on: wall.loop, leeway: .seconds(5),
            .every(
                .seconds(1), missed: missed, jitter: nil,
                probe.tick { tick in ticks.append(tick) }))
        wall.advance(20.6)
        timer.cancel()
        #expect(ticks.value.map(\.index) == Array(0...10))
        #expect(ticks.value.allSatisfy { $0.missed == 0 && $0.lateness <= .milliseconds(500) })
    }

    @Test func afterAStepTheGridStartsAtTheStepAndNothingIsMissed() throws {
        let wall = try TestWall()
        let ticks = Shared<[Tick]>([])
        let timer = schedule(wall, at: 86_400) { tick in ticks.update { $0.append(tick) } }
        wall.advance(5)
        wall.step(2 * 86_400)
        #expect(ticks.value.map(\.index) == [0])
        wall.advance(1.5)
        #expect(ticks.value.map(\.index) == [0, 1])
        #expect(ticks.value.allSatisfy { $0.missed == 0 })
        timer.cancel()
    }

    @Test func aDateInThePastStartsTheGridAtTheCall() throws {
        let wall = try TestWall()
        let ticks = Shared<[Tick]>([])
        let timer = wall.timers.schedule(
            at: .distantPast, on: wall.loop,
            .every(
                .seconds(1), missed: .burst, jitter: nil,
                probe.work { tick in ticks.update { $0.append(tick) } }))
        wall.settle()
        wall.advance(2.5)
        #expect(ticks.value.map(\.index) == [0, 1, 2])
        timer.cancel()
    }

    @Test func c1ATickThatCancelsIsTheLastAndTheClosureGoesWithIt() throws {
        let wall = try TestWall()
        let handle = Shared<TimerHandle?>(nil)
        handle.value = schedule(wall, at: 1) { tick in
            #expect(tick.handle == handle.value)
            #expect(tick.handle.isPending)
            if tick.index == 2 {
                tick.cancel()
                #expect(!tick.handle.isPending)
                #expect(tick.handle.cancel() == .running)
            }
        }
        wall.advance(10)
        #expect(probe.ran == 3)
        #expect(probe.released == 1)
        #expect(handle.value?.cancel() == .finished)
        #expect(wall.timers.count == 0)
        #expect(wall.loop.metrics.pending == 0)
    }

    @Test func rearmMovesTheNextTickAndTheGridGoesOnFromThere() throws {
        let wall = try TestWall()
        let instants = Shared<[Double]>([])
        let timer = schedule(wall, at: 10) { _ in
            instants.update { $0.append((wall.elapsed * 10).rounded() / 10) }
        }
        // Before the date: the first tick moves.
        #expect(timer.rearm(after: .seconds(2)))
        wall.advance(3.5)
        #expect(timer.rearm(after: .seconds(4)))
        wall.advance(5.2)
        #expect(instants.value == [2, 3, 7.5, 8.5])
        timer.cancel()
    }

    @Test func cancelAndWaitReturnsWhenTheRepeatingClosureHasBeenReleased() async {
        let queue = DispatchQueue(label: "test.dates")
        await checkCancelAndWait {
            queue.schedule(every: .milliseconds(1), startingAt: .distantPast, $0)
        }
    }
}
