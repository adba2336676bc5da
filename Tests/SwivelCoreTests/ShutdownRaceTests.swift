// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Shutdown against posts and schedules: every closure runs or is released, once, and the report's
/// numbers add up (S1, S2).
@Suite(.offPool) struct ShutdownRaceTests {
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(60))], [true, false])
    func everyClosureIsAccountedFor(mode: ShutdownMode, threaded: Bool) throws {
        for _ in 0..<Machine.scaled(60, by: 6) {
            let loop = threaded ? try threadedLoop() : try Loop.embedded()
            let probe = Probe()
            let cancelled = Counter()
            let submitted = Counter()
            let started = Gate()
            let driver = TestThread { if !threaded { loop.run() } }
            let threads = (0..<8).map { thread in
                TestThread {
                    var random = Seeded(seed: UInt64(thread))
                    for number in 0..<300 {
                        if number == 100 { started.open() }
                        submitted.add()
                        switch Int.random(in: 0..<5, using: &random) {
                        case 0: loop.execute(probe.work())
                        case 1: _ = loop.tryExecute(probe.work())
                        case 2: loop.schedule(after: .zero, probe.work())
                        case 3: loop.schedule(after: .microseconds(50), probe.work())
                        default:
                            let handle = loop.schedule(after: .hours(1), probe.work())
                            if Bool.random(using: &random), handle.cancel() == .cancelled {
                                cancelled.add()
                            }
                        }
                    }
                }
            }
            started.wait(times: 4)
            let report = loop.shutdown(mode)
            threads.forEach { $0.join() }
            driver.join()
            #expect(report.isComplete && probe.live == 0)
            #expect(probe.released == 2_400)
            let refused = loop.metrics.refused
            #expect(
                probe.ran + cancelled.value + report.cancelled + refused == submitted.value,
                """
                ran \(probe.ran), cancelled \(cancelled.value), report \(report), \
                refused \(refused) of \(submitted.value)
                """)
            #expect(loop.metrics.posts + loop.metrics.fired == probe.ran)
            #expect(loop.metrics.pending == 0)
        }
    }

    /// Re-armable timers, repeats, dispatched timers, `once` and coalescers while their loop closes.
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(60))])
    func everythingElseIsReleasedToo(mode: ShutdownMode) throws {
        for round in 0..<Machine.scaled(60, by: 6) {
            let loop = try threadedLoop()
            let probe = Probe()
            let threads = (0..<4).map { thread in
                TestThread {
                    for number in 0..<100 {
                        let timer = LoopTimer(on: loop, probe.work())
                        timer.arm(after: .microseconds(number))
                        let repeating = loop.schedule(every: .microseconds(20), probe.work())
                        loop.once("\(round).\(number % 7)", after: .hours(1), probe.work())
                        let coalescer = Coalescer(on: loop, after: .hours(1), probe.work())
                        coalescer.call()
                        repeating.rearm(after: .microseconds(5))
                        if number % 2 == 0 { repeating.cancel() }
                        if number % 3 == 0 { timer.disarm() }
                        if number % 5 == 0 { coalescer.flush() }
                    }
                }
            }
            let report = loop.shutdown(mode)
            threads.forEach { $0.join() }
            #expect(report.isComplete)
            #expect(Probe.allAreReleased())
            #expect(loop.metrics.pending == 0)
        }
    }

    /// Handles used by other threads while their loop closes and its record is taken by the next.
    @Test func handlesAreUsedWhileTheirLoopCloses() throws {
        let handles = Shared<[TimerHandle]>([TimerHandle.sample(try manualLoop())])
        let stop = Counter()
        let probe = Probe()
        let users = (0..<3).map { user in
            TestThread {
                var random = Seeded(seed: UInt64(user))
                while stop.value == 0 {
                    let handle = handles.value.randomElement(using: &random)!
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: handle.cancel()
                    case 1: handle.rearm(after: .microseconds(30))
                    case 2: handle.rearm(after: .hours(1))
                    default: _ = handle.isPending
                    }
                }
            }
        }
        for _ in 0..<Machine.scaled(600, by: 6) {
            let loop = try threadedLoop()
            var mine = (0..<20).map { loop.schedule(after: .microseconds($0 * 10), probe.work()) }
            mine += (0..<5).map { _ in loop.schedule(every: .microseconds(15), probe.work()) }
            handles.value = mine
            loop.execute(probe.work())
            loop.shutdown()
        }
        stop.add()
        users.forEach { $0.join() }
        #expect(probe.live == 0)
    }
}

extension TimerHandle {
    /// A handle of a loop that is about to go.
    fileprivate static func sample(_ loop: Loop) -> TimerHandle {
        loop.schedule(after: .seconds(1)) {}
    }
}
