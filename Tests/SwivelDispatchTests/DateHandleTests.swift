// SPDX-License-Identifier: Apache-2.0
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

    @Test func s1ShutdownReleasesTheClosureAndCountsIt() throws {
        let wall = try TestWall()
        let timers = [
            wall.schedule(at: 10, probe.work()),
            wall.timers.schedule(at: .distantFuture, on: wall.loop, .once(probe.work())),
            wall.timers.schedule(
                at: TestWall.start, on: wall.loop,
                .every(.seconds(1), missed: .skip, jitter: nil, probe.work { (_: Tick) in })),
        ]
        wall.runDue()
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

    @Test func c2EveryRaceOfFireStepRearmAndCancelHasOneWinner() {
        let queue = DispatchQueue(label: "test.dates")
        checkCancelRaces(on: queue, probe, rounds: 1_000, checks: 20) { round in
            let timer = queue.schedule(
                at: Date(timeIntervalSinceNow: Double(round % 50) * 1e-6), probe.work())
            switch round % 3 {
            case 0: WallTimers.system.clockWasSet()
            case 1: timer.rearm(after: .microseconds(20))
            default: break
            }
            return timer
        }
    }

    /// They are those of the call, not of the date.
    @Test(arguments: [-10, 10])
    func aDateSeesItsCallersTaskLocalValues(seconds: TimeInterval) throws {
        let (wall, seen) = (try TestWall(), Shared<[String]>())
        let context = wall.loop.inheritingTaskLocals
        let date = TestWall.start + seconds
        Caller.$name.withValue("mine") {
            _ = wall.timers.schedule(
                at: date, on: context, label: "mine", .once { seen.append(Caller.name) })
            _ = wall.timers.schedule(
                at: date, on: context,
                .every(.seconds(100), missed: .skip, jitter: nil) { _ in seen.append(Caller.name) })
        }
        if seconds > 0 { wall.runDue() }
        #expect(wall.loop.pending.compactMap(\.label).contains("mine"))
        Caller.$name.withValue("other") { wall.advance(20) }
        #expect(seen.value == ["mine", "mine"])
    }
}

private enum Caller { @TaskLocal static var name = "none" }
