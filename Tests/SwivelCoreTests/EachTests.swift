// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// `each`: all elements, here or in parallel, and a return when all have run.
@Suite(.offPool) struct EachTests {
    private let probe = Probe()

    @Test func onTheBackgroundItRunsInParallel() {
        let seen = Shared<[Int]>()
        WorkerPool.shared.each(0..<1_000) { seen.append($0) }
        #expect(seen.value.sorted() == Array(0..<1_000))
        // Two that meet run at the same time, where there are two processors.
        let line = Gate()
        let pool = WorkerPool(name: "test.pool", threads: 2)
        pool.each(0..<2) { _ in
            line.open()
            #expect(line.isOpened(times: 2, seconds: 30))
        }
    }

    /// On what is current it runs right here.
    @Test func onTheCurrentContextItRunsRightHere() throws {
        let loop = try manualLoop()
        let probe = probe
        let seen = Shared<[Int]>()
        loop.inside {
            loop.execute(probe.work { seen.append(-1) })
            loop.each(0..<5) { seen.append($0) }
            #expect(seen.value == [0, 1, 2, 3, 4])
            ImmediateContext().each(5..<7) { seen.append($0) }
            #expect(seen.value == [0, 1, 2, 3, 4, 5, 6])
        }
        loop.runDue()
        #expect(seen.value.last == -1)
        let context = QueueContext()
        context.execute { context.each(0..<3) { _ in seen.append(9) } }
        context.runAll()
        #expect(seen.value.suffix(3) == [9, 9, 9])
    }

    /// B1: from a loop's closure it pumps that loop, which the work may need.
    @Test func fromALoopItPumps() throws {
        let loop = try threadedLoop()
        let other = try threadedLoop()
        loop.onThread {
            let seen = Counter()
            WorkerPool.shared.each(0..<20) { _ in
                let latch = Latch()
                loop.execute {
                    seen.add()
                    latch.signal()
                }
                _ = latch.wait()
            }
            #expect(seen.value == 20)
            other.each(0..<3) { _ in loop.each(0..<2) { _ in seen.add() } }
            #expect(seen.value == 26)
        }
        loop.shutdown()
        other.shutdown()
    }

    /// The form with a limit throws at it; the work that has not run by then runs later.
    @Test func withATimeoutItThrows() throws {
        let context = QueueContext()
        let seen = Counter()
        for timeout in [Duration.milliseconds(1), .zero, .seconds(-1), Duration(attoseconds: .min)]
        {
            let error = #expect(throws: SwivelError.self) {
                try context.each(0..<3, timeout: timeout) { _ in seen.add() }
            }
            #expect(error?.code == .timedOut)
        }
        #expect(seen.value == 0)
        context.runAll()
        #expect(seen.value == 12)
        try WorkerPool.shared.each(0..<10, timeout: .seconds(60)) { _ in seen.add() }
        try WorkerPool.shared.each(0..<10, timeout: .seconds(Int64.max)) { _ in seen.add() }
        #expect(seen.value == 32)
    }

    /// A context that drops work does not hang its caller.
    @Test func droppedElementsCountAsDone() {
        let seen = Counter()
        let everySecond = Counter()
        let context = AnyContext { work in
            if everySecond.add() % 2 == 0 { work() }
        }
        context.each(0..<10) { _ in seen.add() }
        #expect(seen.value == 5)
    }

    /// A loop that shuts down in between does not hang its caller.
    @Test func aLoopThatShutsDownDoesNotHangItsCaller() throws {
        for mode in [ShutdownMode.cancelPending, .drain(within: .seconds(10))] {
            let loop = try threadedLoop()
            let seen = Counter()
            loop.each(0..<200) { number in
                seen.add()
                if number == 50 { loop.shutdown(mode) }
            }
            #expect(seen.value >= 51)
            loop.shutdown()
        }
    }
}
