// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Many requests, one run.
@Suite(.offPool) struct CoalescerTests {
    private let probe = Probe()

    private func coalescer(
        on loop: Loop, after delay: Int, maxWait: Int? = nil
    ) -> (Coalescer, Shared<[Int]>) {
        let runs = Shared<[Int]>()
        let coalescer = Coalescer(
            on: loop, after: .milliseconds(delay), maxWait: maxWait.map { .milliseconds($0) },
            probe.work { runs.append(loop.elapsed) })
        return (coalescer, runs)
    }

    /// Each call moves the run.
    @Test(arguments: [true, false])
    func manyCallsMakeOneRun(inside: Bool) throws {
        let loop = try manualLoop()
        let (coalescer, runs) = coalescer(on: loop, after: 10)
        #expect(!coalescer.isPending)
        for _ in 0..<50 {
            let call: @Sendable () -> Bool = { coalescer.call() }
            #expect(inside ? loop.inside(call) : call())
            #expect(coalescer.isPending)
            loop.advance(by: .milliseconds(3))
        }
        #expect(runs.value.isEmpty)
        loop.advance(by: .milliseconds(20))
        #expect(runs.value == [157])
        #expect(!coalescer.isPending)
        coalescer.call()
        loop.advance(by: .milliseconds(10))
        #expect(runs.value == [157, 180])
    }

    /// A run comes at the latest `maxWait` after the first call of a series.
    @Test(arguments: [true, false])
    func maxWaitLimitsASeries(inside: Bool) throws {
        let loop = try manualLoop()
        let (coalescer, runs) = coalescer(on: loop, after: 10, maxWait: 25)
        for _ in 0..<20 {
            if inside { loop.inside { _ = coalescer.call() } } else { coalescer.call() }
            loop.advance(by: .milliseconds(4))
        }
        // Series begin at 0, 28 and 56 and end 25 later; the last call is at 76.
        #expect(runs.value == [25, 53])
        loop.advance(by: .milliseconds(50))
        #expect(runs.value == [25, 53, 81])
    }

    /// A `maxWait` below the delay decides; an enormous one never does.
    @Test func maxWaitAtItsExtremes() throws {
        let loop = try manualLoop()
        let (short, shortRuns) = coalescer(on: loop, after: 10, maxWait: 2)
        short.call()
        loop.advance(by: .milliseconds(2))
        #expect(shortRuns.value == [2])
        let (zero, zeroRuns) = coalescer(on: loop, after: 10, maxWait: 0)
        zero.call()
        #expect(zeroRuns.value.isEmpty)
        loop.runDue()
        #expect(zeroRuns.value == [2])
        let runs = Shared<[Int]>()
        let endless = Coalescer(
            on: loop, after: .milliseconds(1), maxWait: .seconds(Int64.max),
            probe.work { runs.append(loop.elapsed) })
        endless.call()
        loop.advance(by: .milliseconds(1))
        #expect(runs.value == [3])
        let never = Coalescer(on: loop, after: .seconds(Int64.max), probe.work())
        never.call()
        loop.advance(by: .hours(1))
        #expect(never.isPending && never.cancel())
    }

    @Test func flushRunsWhatIsPendingInTheNextTurn() throws {
        let loop = try manualLoop()
        let (coalescer, runs) = coalescer(on: loop, after: 10, maxWait: 30)
        #expect(!coalescer.flush(), "nothing is pending")
        coalescer.call()
        #expect(coalescer.flush())
        #expect(runs.value.isEmpty)
        loop.runDue()
        #expect(runs.value == [0])
        #expect(!coalescer.flush())
        loop.advance(by: .milliseconds(100))
        #expect(runs.value == [0])
        // The series is over: the next one has the whole of its `maxWait`.
        for _ in 0..<7 {
            coalescer.call()
            loop.advance(by: .milliseconds(4))
        }
        #expect(runs.value == [0])
        loop.advance(by: .milliseconds(2))
        #expect(runs.value == [0, 130])
    }

    /// A cancel drops the pending work, and the work that a flush has handed over.
    @Test func cancelDropsWhatIsPending() throws {
        let loop = try manualLoop()
        let (coalescer, runs) = coalescer(on: loop, after: 10, maxWait: 20)
        #expect(!coalescer.cancel())
        coalescer.call()
        #expect(coalescer.cancel())
        #expect(!coalescer.isPending && !coalescer.cancel())
        loop.advance(by: .milliseconds(100))
        #expect(runs.value.isEmpty)
        coalescer.call()
        coalescer.flush()
        coalescer.cancel()
        loop.runDue()
        #expect(runs.value.isEmpty)
        // The cancelled series leaves no limit behind.
        coalescer.call()
        loop.advance(by: .milliseconds(9))
        #expect(runs.value.isEmpty)
        loop.advance(by: .milliseconds(1))
        #expect(runs.value == [110])
    }

    /// Its run may call it: a new series begins.
    @Test func itsRunMayCallItAnew() throws {
        let loop = try manualLoop()
        let box = Shared<Coalescer?>(nil)
        let runs = Shared<[Int]>()
        box.value = Coalescer(
            on: loop, after: .milliseconds(10), maxWait: .milliseconds(15),
            probe.work {
                runs.append(loop.elapsed)
                if runs.value.count < 3 { box.value?.call() }
                #expect(box.value?.isPending == (runs.value.count < 3))
            })
        box.value?.call()
        loop.advance(by: .milliseconds(100))
        #expect(runs.value == [10, 20, 30])
        box.value = nil
    }

    @Test func itRunsOnAnotherContext() {
        let context = QueueContext()
        let coalescer = Coalescer(on: context, after: .microseconds(200), probe.work())
        for _ in 0..<100 { coalescer.call() }
        context.waitForArrivals(1)
        #expect(probe.ran == 0)
        context.runAll()
        #expect(probe.ran == 1)
        // On its way, and cancelled before it starts (C6).
        coalescer.call()
        context.waitForArrivals(2)
        coalescer.cancel()
        context.runAll()
        #expect(probe.ran == 1)
        // Flushed.
        let patient = Coalescer(on: context, after: .hours(1), probe.work())
        patient.call()
        #expect(patient.flush())
        context.runAll()
        #expect(probe.ran == 2)
    }

    /// In real time: no run comes within the delay of a call before it, most of which take no lock.
    @Test func noRunComesEarly() throws {
        let (loop, delay) = (try threadedLoop(), Duration.milliseconds(1))
        var last = LoopClock.Instant.now
        let ran = Shared(last)
        let coalescer = Coalescer(on: loop, after: delay, probe.work { ran.value = .now })
        for length in 1...100 {
            for _ in 0..<length * 30 { (last, _) = (.now, coalescer.call()) }
            #expect(eventually { !coalescer.isPending })
            loop.onThread {}
            #expect(last.duration(to: ran.value) >= delay, "\(length)")
        }
    }

    /// `maxWait` holds however many threads call without a pause.
    @Test(arguments: [1, 2])
    func itRunsWhileThreadsCallWithoutPause(threads: Int) throws {
        let loop = try threadedLoop()
        let coalescer = Coalescer(
            on: loop, after: .milliseconds(2), maxWait: .milliseconds(4), probe.work())
        let probe = probe
        onThreads(threads) { _ in
            #expect(
                eventually(seconds: 60) {
                    coalescer.call()
                    return probe.ran >= 20
                })
        }
        coalescer.cancel()
        loop.shutdown()
    }

    /// Most calls on a real loop only find that the pending run is late enough: it is never early (T1).
    @Test(arguments: [1, 2])
    func aRunIsNotEarlyAfterManyCalls(threads: Int) throws {
        let loop = try threadedLoop()
        let (ran, delay) = (Gate(), Duration.milliseconds(20))
        let start = Shared(LoopClock.Instant.never)
        let last = Shared<[LoopClock.Instant]>([])
        let coalescer = Coalescer(
            on: loop, after: delay,
            probe.work {
                start.value = min(start.value, .now)
                ran.open()
            })
        onThreads(threads) { _ in
            var called = LoopClock.Instant.now
            for _ in 0..<Machine.scaled(20_000) {
                called = .now
                coalescer.call()
            }
            last.append(called)
        }
        ran.wait()
        // If a thread was held up, the run came between two calls: that one is not judged. The clocks
        // of two threads may differ by nanoseconds.
        if probe.ran == 1, !coalescer.isPending, let last = last.value.max() {
            #expect(start.value >= last.advanced(by: delay - .microseconds(1)))
        }
        loop.shutdown()
    }
}
