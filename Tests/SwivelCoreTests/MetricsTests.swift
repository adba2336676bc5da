// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Counters: exact, from any thread.
@Suite(.offPool) struct MetricsTests {
    private let probe = Probe()

    @Test func countsAreExact() throws {
        let loop = try manualLoop()
        let probe = probe
        #expect(loop.metrics.turns == 0 && loop.metrics.pending == 0)
        for _ in 0..<5 { loop.execute(probe.work()) }
        loop.inside { for _ in 0..<3 { loop.execute(probe.work()) } }
        loop.runDue()
        #expect(loop.metrics.posts == 9)
        let handles = (0..<10).map {
            loop.schedule(after: .milliseconds(1 + $0), probe.work())
        }
        let ticking = loop.schedule(every: .milliseconds(4), probe.work())
        loop.runDue()
        #expect(loop.metrics.pending == 11)
        handles[9].cancel()
        loop.inside { _ = handles[8].cancel() }
        loop.runDue()
        #expect(loop.metrics.cancelled == 2 && loop.metrics.pending == 9)
        #expect(handles[9].cancel() == .finished)
        loop.advance(by: .milliseconds(20))
        #expect(loop.metrics.fired == 8 + 5)
        #expect(loop.metrics.pending == 1)
        #expect(loop.metrics.cancelled == 2 && loop.metrics.missed == 0)
        ticking.cancel()
        loop.runDue()
        #expect(loop.metrics.cancelled == 3 && loop.metrics.pending == 0)
        let timer = LoopTimer(on: loop, probe.work())
        timer.arm(after: .milliseconds(1))
        loop.runDue()
        #expect(loop.metrics.pending == 1)
        loop.advance(by: .milliseconds(1))
        #expect(loop.metrics.fired == 14 && loop.metrics.pending == 0)
        loop.shutdown()
        loop.execute(probe.work())
        #expect(loop.metrics.refused == 1)
    }

    /// A running closure sees what is pending now; one-shots that run are not pending.
    @Test func aClosureSeesWhatIsPendingNow() throws {
        let loop = try manualLoop()
        let probe = probe
        loop.inside {
            #expect(loop.metrics.pending == 0)
            let handle = loop.schedule(after: .hours(1), probe.work())
            loop.schedule(after: .zero, probe.work())
            #expect(loop.metrics.pending == 2)
            handle.cancel()
            #expect(loop.metrics.pending == 1)
        }
        loop.runDue()
        #expect(loop.metrics.pending == 0)
    }

    /// S7: busy and idle time count while they pass.
    @Test(.offPool) func timeCountsWhileItPasses() throws {
        let loop = try threadedLoop()
        let (isInside, goOn) = (Gate(), Gate())
        loop.execute {
            isInside.open()
            goOn.wait()
        }
        isInside.wait()
        let before = loop.metrics.busyNanoseconds
        usleep(20_000)
        #expect(loop.metrics.busyNanoseconds - before >= 20_000_000)
        goOn.open()
        let rests = eventually {
            let busy = loop.metrics.busyNanoseconds
            usleep(2_000)
            return loop.metrics.busyNanoseconds == busy
        }
        #expect(rests, "an idle loop is not busy")
        let share = loop.metrics.busyShare
        usleep(20_000)
        #expect(loop.metrics.busyShare < share)
        loop.shutdown()
        let end = loop.metrics
        usleep(2_000)
        #expect(loop.metrics == end)
    }

    /// Also while the loop wakes, and looks for work before its closure is due.
    @Test(.offPool) func aSleepIsNeverBusy() throws {
        let loop = try threadedLoop()
        let ticks = loop.schedule(every: .milliseconds(5)) {}
        let end = SuspendingClock.now + .milliseconds(500)
        var (last, fall) = (0, 0)
        while SuspendingClock.now < end {
            let busy = loop.metrics.busyNanoseconds
            (last, fall) = (busy, max(fall, last - busy))
        }
        #expect(fall < 2_500_000, "what passes between a clock's reading and its use, not a sleep")
        ticks.cancel()
        loop.shutdown()
    }

    /// Other code drives the loop, and may never have it sleep.
    @Test(.offPool) func aLoopIsBusyWhileItIsDriven() throws {
        let loop = try Loop.embedded()
        #expect(loop.metrics.busyNanoseconds == 0 && loop.metrics.busyShare == 0)
        for round in 1...3 {
            loop.execute { usleep(10_000) }
            loop.runOnce(.noWait)
            let busy = loop.metrics.busyNanoseconds
            #expect(busy >= 10_000_000 * round)
            usleep(10_000)
            #expect(loop.metrics.busyNanoseconds == busy)
            let total = Double(busy) / loop.metrics.busyShare
            #expect(total - Double(busy) >= 10_000_000 * Double(round) * 0.99)
        }
        loop.shutdown()
    }

    /// Lateness counts from the deadline, in buckets that double.
    @Test func latenessIsCountedInBuckets() throws {
        let loop = try manualLoop()
        let start = loop.now
        // The first closure of each batch is slow, and makes the second one late.
        for late in [0, 1, 5, 100, 1_000_000] as [Int] {
            let deadline = loop.now.advanced(by: .milliseconds(10))
            loop.schedule(
                at: deadline, probe.work { loop.advance(by: .nanoseconds(late)) })
            loop.advance(to: deadline)
            loop.schedule(
                at: loop.now.advanced(by: .nanoseconds(1)), probe.work())
            loop.advance(by: .milliseconds(1))
        }
        let lateness = loop.metrics.lateness
        #expect(lateness.count == 10)
        #expect(lateness.buckets[0] == 10, "each turn began in time")
        #expect(lateness.quantile(1) <= .nanoseconds(1))
        #expect(start < loop.now)
        #expect(loop.metrics.busyShare >= 0 && loop.metrics.busyShare <= 1)
    }
}
