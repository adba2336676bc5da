// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
@testable import SwivelDispatch
import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// Guarantee T7: a date fires once, when the wall clock reaches it, also after a step.
@Suite(.offPool) struct DateTests {
    private let probe = Probe()

    @Test func t7ADateFiresWhenTheWallClockReachesItAndNotBefore() throws {
        let wall = try TestWall()
        wall.schedule(at: 10, probe.work())
        wall.advance(9.999)
        #expect(probe.ran == 0)
        wall.advance(0.002)
        #expect(probe.ran == 1)
        #expect(probe.released == 1)
        #expect(wall.timers.count == 0)
    }

    @Test func t7AForwardStepFiresWhatItHasReached() throws {
        let wall = try TestWall()
        wall.schedule(at: 3600, probe.work())
        let late = wall.schedule(at: 7200, probe.work())
        wall.advance(1)
        wall.step(3600)
        #expect(probe.ran == 1)
        #expect(late.isPending)
        wall.advance(3598)
        #expect(probe.ran == 1)
        wall.advance(2)
        #expect(probe.ran == 2)
    }

    @Test func t7AfterABackwardStepADateWaitsOn() throws {
        let wall = try TestWall()
        let timer = wall.schedule(at: 10, probe.work())
        wall.advance(5)
        wall.step(-100)
        wall.advance(50)
        #expect(probe.ran == 0)
        #expect(timer.isPending)
        wall.advance(56)
        #expect(probe.ran == 1)
    }

    @Test func t7AStepThatNobodyToldOfNeverMakesADateEarly() throws {
        let wall = try TestWall()
        wall.schedule(at: 10, probe.work())
        wall.step(-100, isTold: false)
        wall.advance(109)
        #expect(probe.ran == 0)
        wall.advance(2)
        #expect(probe.ran == 1)
    }

    @Test func t7WithoutWordOfStepsATimerLooksAtTheClockEachMinute() throws {
        let wall = try TestWall(isTold: false)
        wall.schedule(at: 86_400, probe.work())
        wall.advance(30)
        wall.step(86_400, isTold: false)
        #expect(probe.ran == 0)
        wall.advance(31)
        #expect(probe.ran == 1)
    }

    @Test func t7RandomStepsAgreeWithAList() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("t7RandomStepsAgreeWithAList: seed \(seed)")
        var random = Seeded(seed: seed)
        let wall = try TestWall()
        let fired = Shared<[Int: Int]>([:])
        var dates: [Int: Double] = [:]
        var expected: Set<Int> = []
        var handles: [Int: TimerHandle] = [:]
        for round in 0..<2_000 {
            switch random.below(10) {
            case 0..<3:
                // Half a millisecond off what the clocks show, so that no rounding decides.
                let at = Double(random.below(2_000_000)) / 1000 + 0.0005
                dates[round] = at
                handles[round] = wall.schedule(at: at) {
                    fired.update { $0[round, default: 0] += 1 }
                }
            case 3..<5:
                wall.step(Double(random.below(400_001)) / 1000 - 200)
            case 5:
                if let (id, handle) = handles.randomElement(using: &random), dates[id] != nil {
                    let isOver = fired.value[id] != nil
                    #expect(handle.cancel() == (isOver ? .finished : .cancelled))
                    dates[id] = nil
                }
            default:
                wall.advance(Double(random.below(20_001)) / 1000)
            }
            wall.runDue()
            let shown = wall.now.timeIntervalSince(TestWall.start)
            for (id, at) in dates where at <= shown {
                expected.insert(id)
                dates[id] = nil
            }
            #expect(Set(fired.value.keys) == expected, "round \(round)")
        }
        #expect(fired.value.values.allSatisfy { $0 == 1 })
        #expect(wall.timers.count == dates.count)
        dates.keys.forEach { handles[$0]?.cancel() }
        #expect(wall.timers.count == 0)
    }
}

/// Dates at the ends of their range, and past ones.
@Suite(.offPool) struct DateRangeTests {
    private let probe = Probe()

    @Test func aDateOfNaNTrapsWithAMessage() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            ImmediateContext().schedule(at: Date(timeIntervalSinceReferenceDate: .nan)) {}
        }
        #expect(printed("a timer's date must not be NaN; use Date.distantFuture", result))
    }

    @Test func anIntervalOfZeroTrapsWhereItIsWritten() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            DispatchQueue.main.schedule(every: .zero, startingAt: .distantFuture) {}
        }
        #expect(printed("an interval must be above zero", result))
    }
}

/// The public forms, on the system's clock.
@Suite(.offPool) struct SystemDateTests {
    private let queue = DispatchQueue(label: "test.dates")
    private let probe = Probe()

    @Test func onceAtADateIsReplacedByANewerCallOfEitherKind() {
        struct ID: Hashable { let number: Int }
        let (first, second, third) = (Probe(), Probe(), Probe())
        let replaced = queue.once(ID(number: 1), at: .distantFuture, first.work())
        queue.once(ID(number: 1), after: .seconds(3600), second.work())
        #expect(first.released == 1)
        #expect(replaced.cancel() == .finished)
        queue.once(ID(number: 1), at: Date(), third.work())
        #expect(second.released == 1)
        third.waitForReleases()
        #expect((first.ran, second.ran, third.ran) == (0, 0, 1))
        // An id without a pending operation starts a new series.
        queue.once(ID(number: 1), at: Date(), third.work())
        third.waitForReleases(2)
        #expect(third.ran == 2)
    }

    /// S1: a drain waits for a date within its limit, and releases the rest.
    @Test func s1ADrainRunsWhatItsLimitReaches() throws {
        let loop = try Loop()
        loop.schedule(at: Date(timeIntervalSinceNow: 0.01), probe.work())
        let late = loop.schedule(at: Date(timeIntervalSinceNow: 86_400), probe.work())
        let report = loop.shutdown(.drain(within: .seconds(60)))
        #expect(probe.ran == 1)
        #expect(probe.released == 2)
        #expect(report.cancelledTimers == 1)
        #expect(!late.isPending)
    }

    @Test func aDateCountsOnce() throws {
        let (loop, asked) = (try Loop(), Gate())
        loop.execute {
            loop.schedule(at: Date(timeIntervalSinceNow: 0.005), probe.work())
            loop.shutdown(.drain(within: .seconds(60)))
            asked.open()
        }
        asked.wait()
        let report = loop.shutdown()
        #expect(probe.ran == 1 && report.ran == 1 && report.cancelled == 0)
        #expect(loop.metrics.fired == 1)
    }

    /// T5: what waited for the leeway would not come.
    @Test func aPassedDateDoesNotWaitForItsLeeway() {
        queue.schedule(at: .distantPast, leeway: .seconds(3600), probe.work())
        queue.schedule(at: Date(), leeway: .seconds(3600), probe.work())
        probe.waitForReleases(2)
        #expect(probe.ran == 2)
    }

    @Test func theSystemsStepsAreWatched() {
        let steps = ClockSteps.watch {}
        #if canImport(Darwin)
        #expect(!steps)
        #else
        #expect(steps)
        #expect(WallTimers.system.clock.longestSleep == nil)
        #endif
    }
}
