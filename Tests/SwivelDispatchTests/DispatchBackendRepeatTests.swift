// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
@testable import SwivelDispatch
import SwivelTestSupport
import Testing

/// Repeating timers on Dispatch alone.
@Suite(.offPool) struct DispatchBackendRepeatTests {
    private let queue = DispatchQueue(label: "test.repeat")
    private let probe = Probe()
    private var context: DispatchBackend { DispatchBackend(queue) }

    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func t3EachTickBelongsToAnInstantOfTheGrid(_ missed: MissedTicks) {
        let ticks = Shared<[Tick]>([])
        let timer = context.schedule(
            every: .milliseconds(1), startingAfter: .milliseconds(3), missed: missed,
            probe.work { tick in ticks.update { $0.append(tick) } })
        probe.waitForRuns(20)
        timer.cancel()
        probe.waitForReleases()
        let all = ticks.value
        #expect(all[0].index == (missed == .skip ? all[0].missed : 0))
        for (one, next) in zip(all, all.dropFirst()) {
            #expect(next.index > one.index)
            if missed != .delay {
                let steps = next.index - one.index
                #expect(next.scheduled - one.scheduled == .milliseconds(steps))
                #expect(next.missed == steps - 1)
            } else if one.missed == 0 {
                #expect(next.scheduled - one.scheduled == .milliseconds(1))
            }
            #expect(next.lateness >= .zero)
            #expect(next.handle == timer)
        }
    }

    /// T9.
    @Test func leewayCountsForHalfAnIntervalAtMost() {
        for missed in [MissedTicks.skip, .delay, .burst] {
            let grid = TickGrid(.grid(missed), first: 100, interval: .nanoseconds(11))
            #expect([0, 5, 6, .max].map(grid.held) == [0, 5, 5, 5])
        }
        let pauses = TickGrid(.afterCompletion, first: 100, interval: .nanoseconds(11))
        #expect(pauses.held(.max) == .max, "nothing is missed between an end and the next start")
    }

    @Test(arguments: [MissedTicks.skip, .burst])
    func c1ATickThatCancelsIsTheLastAndTheClosureGoesWithIt(_ missed: MissedTicks) {
        let timer = context.schedule(
            every: .microseconds(500), missed: missed,
            probe.work { (tick: Tick) in
                if probe.ran == 3 {
                    tick.cancel()
                    #expect(!tick.handle.isPending)
                    #expect(!tick.handle.rearm(after: .zero))
                    #expect(tick.handle.cancel() == .running)
                    #expect(probe.released == 0)
                }
            })
        probe.waitForReleases()
        queue.sync {}
        #expect(probe.ran == 3)
        #expect(timer.cancel() == .finished)
    }

    @Test func c1BetweenTwoTicksACancelReleasesTheClosureAtOnce() {
        let timer = context.schedule(
            every: .seconds(3600), startingAfter: .milliseconds(1), probe.work())
        probe.waitForRuns()
        queue.sync {}
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
    }

    @Test(arguments: [MissedTicks.skip, .burst])
    func rearmMovesTheNextTickFromInsideAndFromOutside(_ missed: MissedTicks) {
        let timer = context.schedule(
            every: .seconds(3600), startingAfter: .milliseconds(1), missed: missed,
            probe.work { (tick: Tick) in
                if tick.index < 3 { #expect(tick.handle.rearm(after: .milliseconds(1))) }
            })
        probe.waitForRuns(4)
        queue.sync {}
        #expect(timer.rearm(after: .milliseconds(1)))
        probe.waitForRuns(5)
        queue.sync {}
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
        #expect(probe.ran == 5)
    }

    @Test func aFixedDelayThatIsRearmedInsideKeepsTheNewDeadline() {
        let timer = context.schedule(
            everyAfterCompletion: .seconds(3600), startingAfter: .zero,
            probe.work { (tick: Tick) in #expect(tick.handle.rearm(after: .milliseconds(1))) })
        probe.waitForRuns(5)
        timer.cancel()
        probe.waitForReleases()
    }

    @Test func jitterMakesTicksLaterAndLeavesTheGrid() {
        let ticks = Shared<[Tick]>([])
        let timer = context.schedule(
            every: .milliseconds(1), jitter: 0.5...0.9,
            probe.work { tick in ticks.update { $0.append(tick) } })
        probe.waitForRuns(10)
        timer.cancel()
        probe.waitForReleases()
        for (one, next) in zip(ticks.value, ticks.value.dropFirst()) {
            #expect(next.scheduled - one.scheduled == .milliseconds(next.index - one.index))
            #expect(one.lateness >= .microseconds(500))
        }
    }
}

/// The arithmetic of ticks. Time is an argument.
@Suite struct TickGridTests {
    private func grid(
        _ missed: MissedTicks, first: UInt64 = 100, interval: Int64 = 10,
        jitter: ClosedRange<Double>? = nil
    ) -> TickGrid {
        TickGrid(
            .grid(missed), first: first, interval: .nanoseconds(interval), jitter: jitter)
    }

    /// Index, scheduled and missed of the tick at each instant.
    private func run(_ grid: TickGrid, _ instants: [UInt64]) -> [[UInt64]] {
        var grid = grid
        return instants.map { now in
            let tick = grid.begin(now)
            grid.end(now)
            return [tick.index, tick.scheduled, tick.missed]
        }
    }

    @Test func skipJumpsAndKeepsTheGrid() {
        #expect(
            run(grid(.skip), [100, 111, 145, 150])
                == [[0, 100, 0], [1, 110, 0], [4, 140, 2], [5, 150, 0]])
    }

    @Test func delayRestartsTheGridAtTheLateTick() {
        #expect(
            run(grid(.delay), [100, 115, 143, 153])
                == [[0, 100, 0], [1, 110, 0], [2, 120, 2], [3, 153, 0]])
    }

    @Test func burstGivesEveryInstantItsTick() {
        #expect(
            run(grid(.burst), [100, 145, 145, 146])
                == [[0, 100, 0], [1, 110, 0], [2, 120, 0], [3, 130, 0]])
    }

    @Test func sumsSaturateAtTheEndOfTheClock() {
        var late = grid(.skip, first: .max - 5)
        #expect(late.begin(.max - 5).index == 0)
        #expect(late.deadline == .max)
        var slow = grid(.burst, first: 5, interval: .max)
        _ = slow.begin(5)
        _ = slow.begin(.max)
        #expect(slow.deadline == .max)
        var fast = grid(.skip, first: 0, interval: 1)
        #expect(fast.begin(.max).missed == .max)
    }

    @Test func jitterIsNeverNegativeAndDoesNotMoveTheGrid() {
        var jittered = grid(.skip, interval: 1000, jitter: 0.25...0.5)
        for step in 0..<100 as Range<UInt64> {
            #expect((100 + step * 1000 + 250...100 + step * 1000 + 500).contains(jittered.deadline))
            let tick = jittered.begin(jittered.deadline)
            #expect([tick.index, tick.scheduled, tick.missed] == [step, 100 + step * 1000, 0])
        }
        #expect(grid(.skip, jitter: 0...1e300).deadline == .max)
    }

    @Test func aMoveReplacesTheNextInstantOnly() {
        var moved = grid(.skip)
        _ = moved.begin(100)
        moved.move(to: 500)
        #expect(moved.deadline == 500)
        let tick = moved.begin(501)
        #expect([tick.index, tick.scheduled, tick.missed] == [1, 500, 0])
        #expect(moved.deadline == 510)
    }
}
