// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Tasks that wait for a coalescer's run, and runs that never come.
@Suite(.offPool) struct CoalescerFlushTests {
    private let probe = Probe()

    /// It waits for a run that other code has begun, too: another flush, or the timer.
    @Test(arguments: [0, 1, 2]) func anAwaitedFlushWaitsForARunUnderWay(flushes: Int) throws {
        let pool = WorkerPool(name: "test.pool", threads: 4)
        let (begun, mayEnd, hasRun, ended) = (Gate(), Gate(), Counter(), Gate())
        let results = Shared<[Int]>()
        let coalescer = Coalescer(on: pool, after: flushes == 0 ? .zero : .hours(1)) {
            begun.open()
            mayEnd.wait()
            hasRun.add()
        }
        coalescer.call()
        let wait: @Sendable () async -> Void = {
            await coalescer.flushAndWait()
            results.append(hasRun.value)
            ended.open()
        }
        for _ in 0..<flushes { Task { await wait() } }
        begun.wait()
        #expect(!coalescer.isPending)
        Task { await wait() }
        for _ in 0..<1_000 where results.value.isEmpty { pool.each(0..<1) { _ in } }
        mayEnd.open()
        ended.wait(times: flushes + 1)
        #expect(results.value == Array(repeating: 1, count: flushes + 1))
    }

    /// A context that is slow gets one run, however often calls come due in between.
    @Test func aSlowContextGetsOneRun() throws {
        let handed = Shared<[@Sendable () -> Void]>()
        let slow = AnyContext { handed.append($0) }
        let coalescer = Coalescer(
            on: slow, after: .zero, maxWait: .nanoseconds(1), probe.work())
        for round in 1...3 {
            coalescer.call()
            #expect(eventually { handed.value.count == round })
            for _ in 0..<50 {
                coalescer.call()
                Loop.shared.onThread {}
            }
            #expect(handed.value.count == round)
            handed.value.last?()
            #expect(probe.ran == round)
        }
        handed.value = []  // Its closures keep the context, which keeps it.
    }

    /// A run that its context drops is over, and the next call begins another.
    @Test(arguments: [false, true]) func aDroppedRunIsNotPending(isFlushed: Bool) throws {
        let dropped = Counter()
        let dropping = AnyContext { _ in dropped.add() }
        let coalescer = Coalescer(
            on: dropping, after: isFlushed ? .hours(1) : .zero, probe.work())
        for round in 1...3 {
            coalescer.call()
            if isFlushed { coalescer.flush() }
            #expect(eventually { dropped.value == round && !coalescer.isPending })
        }
        #expect(probe.ran == 0)
    }

    /// An awaited flush ends also when the run never comes: the loop shut down first, or the
    /// context dropped it.
    @Test(arguments: [true, false])
    func anAwaitedFlushEndsWhenTheRunIsDropped(onLoop: Bool) throws {
        let loop = try manualLoop()
        let dropping = AnyContext { _ in }
        let coalescer =
            onLoop
            ? Coalescer(on: loop, after: .hours(1), probe.work())
            : Coalescer(on: dropping, after: .hours(1), probe.work())
        coalescer.call()
        loop.runDue()
        let ended = Gate()
        Task {
            await coalescer.flushAndWait()
            ended.open()
        }
        if onLoop {
            // Something to do at once: the flush has arrived.
            let limit = SuspendingClock.now + .seconds(20)
            while loop.nextDeadline.map({ $0 > loop.now }) ?? true, SuspendingClock.now < limit {}
            loop.shutdown()
        }
        #expect(ended.isOpened(seconds: 10), "the task hangs")
        #expect(probe.ran == 0)
    }
}
