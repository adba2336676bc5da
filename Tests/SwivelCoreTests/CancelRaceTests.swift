// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Cancel against fire: exactly one wins, and the closure is released exactly once (C2).
@Suite(.offPool) struct CancelRaceTests {
    /// The loop's activity during the race.
    enum Mood: CaseIterable, Sendable { case parked, busy, aboutToPark }

    /// C2: single races around the deadline; both outcomes come often enough to mean something.
    @Test(arguments: Mood.allCases)
    func exactlyOneOfFireAndCancelWins(mood: Mood) throws {
        var random = Seeded()
        let count = Machine.scaled(70_000, by: 7)
        let loop = try threadedLoop()
        let ledger = Ledger(count)
        let stop = Counter()
        if mood == .busy { renew(loop, stop) }
        var handled = 0
        // The spins are fitted to the loop's own latency, so that neither side always wins.
        var spin = 4_000.0
        for number in 0..<count {
            if mood == .aboutToPark { loop.execute {} }
            let delay = Int.random(in: 0...20_000, using: &random)
            let handle = loop.schedule(after: .nanoseconds(delay), ledger.work(number))
            let wait = Int(Double.random(in: 0...2, using: &random) * spin)
            busy(for: .nanoseconds(delay / 2 + wait))
            let result = handle.cancel()
            if result == .cancelled {
                ledger.cancelled(number)
                // A loop that is kept from running for milliseconds is waited for too.
                spin = min(spin * 1.02, 20_000_000)
                handled += 1
                if ledger.hasRun(number) { Issue.record("\(number) ran and was cancelled") }
            } else {
                spin = max(spin * 0.98, 100)
            }
        }
        stop.add()
        loop.shutdown(.drain(within: .seconds(60)))
        #expect(ledger.broken().isEmpty)
        #expect(ledger.totals.cancelled == handled)
        #expect(ledger.totals.ran == count - handled)
        #expect(handled >= count / 20 && handled <= count - count / 20, "\(handled) of \(count)")
    }

    private func renew(_ loop: Loop, _ stop: Counter) {
        loop.execute {
            if stop.value == 0 { renew(loop, stop) }
        }
    }

    /// C2: a repeat that several threads cancel while it ticks ends once.
    @Test func aTickingRepeatIsCancelledOnce() throws {
        let loop = try threadedLoop()
        for _ in 0..<Machine.scaled(2_000) {
            let probe = Probe()
            let ticked = Counter()
            let handle = loop.schedule(
                every: .microseconds(3), probe.work { ticked.add() })
            let limit = SuspendingClock.now + .seconds(20)
            while ticked.value < 2 && SuspendingClock.now < limit {}
            let results = Shared<[CancelResult]>()
            onThreads(3) { _ in results.append(handle.cancel()) }
            let cancelled = results.value.filter { $0 == .cancelled }.count
            #expect(cancelled <= 1)
            #expect(cancelled == 1 || results.value.contains(.running))
            #expect(!handle.isPending)
            loop.onThread {}
            let ticks = ticked.value
            #expect(probe.released == 1)
            loop.onThread {}
            #expect(ticked.value == ticks)
        }
        loop.shutdown()
    }

    /// C2, C6: timers of another context, cancelled while the context starts them.
    @Test func dispatchedTimersAreCancelledWhileTheyStart() {
        let pool = WorkerPool(name: "test.pool", threads: 2)
        let count = Machine.scaled(20_000)
        let ledger = Ledger(count)
        let done = Gate()
        onThreads(2) { thread in
            var random = Seeded(seed: UInt64(thread))
            // The time that the pool needs to start one is the machine's: the wait feels its way there.
            var wait = 20_000
            for number in stride(from: thread, to: count, by: 2) {
                let handle = pool.schedule(
                    after: .nanoseconds(Int.random(in: 0...5_000, using: &random)),
                    ledger.work(number))
                busy(for: .nanoseconds(Int.random(in: 0...(2 * wait), using: &random)))
                let isCancelled = handle.cancel() == .cancelled
                if isCancelled { ledger.cancelled(number) }
                wait = isCancelled ? min(wait + wait / 8, 5_000_000) : max(wait - wait / 8, 1_000)
            }
            done.open()
        }
        #expect(Probe.allAreReleased())
        #expect(ledger.broken().isEmpty)
        #expect(ledger.totals.cancelled > 0 && ledger.totals.ran > 0)
    }
}
