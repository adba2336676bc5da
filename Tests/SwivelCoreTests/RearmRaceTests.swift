// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Rearms against fire, from several threads: true means not before the new deadline.
@Suite(.offPool) struct RearmRaceTests {
    private let probe = Probe()

    /// The loop's own rearms and another thread's, against each other: the timer neither fires
    /// twice nor is lost.
    @Test func theLoopAndAThreadMoveOneTimer() throws {
        let loop = try threadedLoop()
        for _ in 0..<Machine.scaled(2_000) {
            let done = Gate()
            let handle = loop.schedule(after: .hours(1), probe.work { done.open() })
            for _ in 0..<5 {
                loop.execute { handle.rearm(after: .hours(1)) }
            }
            for _ in 0..<5 {
                handle.rearm(after: .hours(2))
            }
            loop.onThread {}
            #expect(done.opened == 0)
            handle.rearm(after: .microseconds(1))
            guard done.wait() else { break }
        }
        loop.onThread {}
        #expect(probe.ran == probe.made)
        loop.shutdown()
    }

    /// Rearm and cancel race: after `.cancelled` nothing runs, whatever a rearm said.
    @Test func rearmAndCancelRace() throws {
        let loop = try threadedLoop()
        let ledger = Ledger(Machine.scaled(5_000))
        for number in 0..<Machine.scaled(5_000) {
            let handle = loop.schedule(after: .microseconds(30), ledger.work(number))
            onThreads(2) { thread in
                if thread == 0 {
                    for _ in 0..<5 { handle.rearm(after: .microseconds(10)) }
                } else if handle.cancel() == .cancelled {
                    ledger.cancelled(number)
                }
            }
        }
        loop.shutdown(.drain(within: .seconds(60)))
        #expect(ledger.broken().isEmpty)
    }

    /// A loop timer armed and disarmed from everywhere: it fires no more often than it was armed,
    /// the last arm is not lost, and after the last disarm nothing comes.
    @Test func aLoopTimerIsArmedFromEverywhere() throws {
        let loop = try threadedLoop()
        for _ in 0..<Machine.scaled(400) {
            let arms = Counter()
            let fires = Counter()
            let timer = LoopTimer(on: loop, probe.work { fires.add() })
            loop.execute {
                for _ in 0..<20 {
                    if timer.arm(after: .microseconds(5)) { arms.add() }
                    if timer.disarm() == .cancelled { _ = timer.isArmed }
                }
            }
            onThreads(3) { thread in
                for number in 0..<20 {
                    if timer.arm(after: .nanoseconds(number * 500)) { arms.add() }
                    if (number + thread) % 3 == 0 { timer.disarm() }
                }
            }
            // The loop's own part may come late, and would disarm the last one.
            loop.onThread {}
            arms.add()
            timer.arm(after: .microseconds(1))
            let limit = SuspendingClock.now + .seconds(20)
            while timer.isArmed && SuspendingClock.now < limit {}
            loop.onThread {}
            #expect(fires.value >= 1 && fires.value <= arms.value)
            timer.arm(after: .milliseconds(1))
            _ = timer.disarm()
            loop.onThread {}
            let fired = fires.value
            busy(for: .microseconds(100))
            loop.onThread {}
            #expect(fires.value == fired && !timer.isArmed)
        }
        loop.shutdown()
    }
}
