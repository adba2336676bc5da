// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Loops that somebody drives: `run`, `runOnce`, `stop`, `main`.
@Suite(.offPool) struct RunningTests {
    private let probe = Probe()

    /// `run` drives until a stop, which comes from a closure or from elsewhere.
    @Test(arguments: [true, false])
    func runEndsWithAStop(fromClosure: Bool) throws {
        let loop = try Loop.embedded()
        for round in 1...20 {
            let stopped = Gate()
            loop.schedule(
                after: .microseconds(50),
                probe.work {
                    #expect(loop.isCurrent)
                    if fromClosure { loop.stop() }
                    stopped.open()
                })
            let helper = TestThread {
                stopped.wait()
                if !fromClosure { loop.stop() }
            }
            loop.run()
            #expect(probe.ran == round)
            helper.join()
        }
    }

    /// A waiting turn ends with a post, a stop, and an earlier deadline from elsewhere.
    @Test(arguments: 0..<4)
    func aWaitingTurnIsWoken(by kind: Int) throws {
        let loop = try Loop.embedded()
        let far = loop.schedule(after: .hours(1), probe.work())
        loop.runOnce(.noWait)
        for round in 0..<50 {
            let helper = TestThread { [probe] in
                if round % 2 == 0 { busy(for: .microseconds(200)) }
                switch kind {
                case 0: loop.execute(probe.work())
                case 1: loop.stop()
                case 2: loop.schedule(after: .microseconds(10), probe.work())
                default: far.rearm(after: .hours(2))
                }
                if kind == 3 { loop.execute(probe.work()) }
            }
            let ran = probe.ran
            loop.runOnce(.wait)
            while probe.ran == ran && kind != 1 { loop.runOnce(.wait) }
            helper.join()
        }
        loop.shutdown()
    }

    /// The next deadline, as the driver asks for it.
    @Test func theNextDeadlineIsKnown() throws {
        let loop = try manualLoop()
        #expect(loop.nextDeadline == nil)
        let handle = loop.schedule(after: .milliseconds(70), probe.work())
        loop.runDue()
        let next = try #require(loop.nextDeadline)
        #expect(next > loop.now && next <= epoch.advanced(by: .milliseconds(70)))
        loop.advance(by: .milliseconds(69))
        #expect(loop.nextDeadline == epoch.advanced(by: .milliseconds(70)))
        handle.cancel()
        loop.runDue()
        #expect(loop.nextDeadline == nil)
        loop.schedule(at: .never, probe.work())
        loop.runDue()
        #expect(loop.nextDeadline == nil)
        loop.execute(probe.work())
        #expect(loop.nextDeadline.map { $0 <= loop.now } == true)
        loop.shutdown()
    }

    /// The main thread's loop works wherever it is driven.
    @Test func theMainLoopIsDriven() {
        Loop.main.execute(probe.work { Loop.main.stop() })
        Loop.main.schedule(after: .microseconds(10), probe.work())
        Loop.main.run()
        while probe.ran < 2 { Loop.main.runOnce(.wait) }
        #expect(Loop.main !== Loop.shared && Loop.main.description == "Loop(swivel.main)")
    }

    /// Driving a loop that has a thread, from two threads, or from its own closures is a mistake.
    @Test func drivingALoopTwiceTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest { try Loop().run() }
        }
        #expect(result.errors.contains("no thread of its own"))
        await #expect(processExitsWith: .failure) {
            try exitTest { try Loop().runOnce(.noWait) }
        }
        await #expect(processExitsWith: .failure) {
            try exitTest {
                let loop = try Loop.embedded()
                loop.execute { loop.runOnce(.noWait) }
                loop.runOnce(.noWait)
            }
        }
        await #expect(processExitsWith: .failure) {
            try exitTest {
                let loop = try Loop.embedded()
                loop.schedule(after: .hours(1)) {}
                let running = Gate()
                loop.execute { running.open() }
                let thread = TestThread { loop.run() }
                running.wait()
                loop.run()
                thread.join()
            }
        }
    }

    /// One loop drives another from its closure.
    @Test func aClosureDrivesAnotherLoop() throws {
        let outer = try Loop.embedded()
        let inner = try Loop.embedded()
        let probe = probe
        outer.execute(
            probe.work {
                inner.execute(
                    probe.work {
                        #expect(Loop.current === inner)
                        outer.execute(probe.work { #expect(Loop.current === outer) })
                        inner.schedule(after: .microseconds(10), probe.work { inner.stop() })
                    })
                inner.run()
                #expect(Loop.current === outer)
            })
        while probe.ran < 4 { outer.runOnce(.wait) }
    }
}
