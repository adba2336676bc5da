// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Grids of instants: T3, T4, and fixed delays.
@Suite(.offPool) struct RepeatTests {
    private let probe = Probe()

    /// T3: tick *k* belongs to first + *k* · interval, where first is the call plus the interval,
    /// or plus `startingAfter`.
    @Test(arguments: [nil, 0, 3, 25] as [Int?], [true, false])
    func ticksLieOnTheirGrid(startingAfter: Int?, inside: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let ticks = Shared<[Tick]>()
        let start: @Sendable () -> TimerHandle = {
            loop.schedule(
                every: .milliseconds(10), startingAfter: startingAfter.map { .milliseconds($0) },
                probe.tick { tick in
                    #expect(loop.now == tick.scheduled)
                    ticks.append(tick)
                })
        }
        let handle = inside ? loop.inside(start) : start()
        loop.advance(by: .milliseconds(100))
        let first = startingAfter ?? 10
        #expect(ticks.value.count == (100 - first) / 10 + 1)
        for (number, tick) in ticks.value.enumerated() {
            #expect(tick.index == number)
            #expect(tick.scheduled == epoch.advanced(by: .milliseconds(first + 10 * number)))
            #expect(tick.lateness == .zero && tick.missed == 0)
            #expect(tick.handle == handle)
        }
        #expect(handle.cancel() == .cancelled)
    }

    /// T9: leeway counts for half an interval at most, so it costs no tick, and ticks that catch up
    /// do catch up.
    @Test(arguments: [MissedTicks.skip, .delay, .burst], [1, 2, 5, 1_000])
    func leewayCostsNoTick(missed: MissedTicks, intervals: Int) throws {
        let loop = try manualLoop()
        let ticks = Shared<[Tick]>()
        loop.schedule(
            every: .milliseconds(10), leeway: .milliseconds(10 * intervals), missed: missed,
            probe.tick { tick in ticks.append(tick) })
        loop.advance(by: .milliseconds(10_006))
        #expect(ticks.value.map(\.index) == Array(0..<1_000))
        for tick in ticks.value {
            #expect(tick.missed == 0 && tick.lateness <= .milliseconds(5))
            #expect(tick.scheduled == epoch.advanced(by: .milliseconds(10 * (tick.index + 1))))
        }
        #expect(loop.metrics.missed == 0)
        loop.shutdown()
    }

    /// A fixed delay misses nothing, so its leeway is what was asked for.
    @Test func aFixedDelayHasItsWholeLeeway() throws {
        let loop = try manualLoop()
        let latest = Shared<Duration>(.zero)
        loop.schedule(
            everyAfterCompletion: .milliseconds(3), leeway: .milliseconds(20),
            probe.tick { tick in latest.update { $0 = max($0, tick.lateness) } })
        loop.advance(by: .seconds(1))
        #expect(latest.value > .milliseconds(3) && latest.value <= .milliseconds(20))
        loop.shutdown()
    }

    /// An interval of one nanosecond is served, and starves nothing (F1, T4).
    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func anIntervalOfOneNanosecondStarvesNothing(missed: MissedTicks) throws {
        let loop = try threadedLoop()
        let ticks = Counter()
        let handle = loop.schedule(
            every: .nanoseconds(1), missed: missed, probe.work { ticks.add() })
        let shorter = loop.schedule(
            every: Duration(attoseconds: 1), missed: missed, probe.work { ticks.add() })
        for _ in 0..<20 {
            let gate = Gate()
            loop.execute(probe.work { gate.open() })
            loop.schedule(after: .microseconds(50), probe.work { gate.open() })
            gate.wait(times: 2)
        }
        #expect(ticks.value > 0)
        #expect([CancelResult.cancelled, .running].contains(handle.cancel()))
        #expect([CancelResult.cancelled, .running].contains(shorter.cancel()))
        loop.onThread {}
        #expect(probe.live == 0)
        loop.shutdown()
    }

    /// T4: a repeat whose closure waits does not tick inside its own wait; others go on.
    @Test func aRepeatNeverOverlapsItself() throws {
        let loop = try manualLoop()
        let inside = Counter()
        let others = Counter()
        let rounds = Counter()
        let other = loop.schedule(every: .milliseconds(1), probe.work { others.add() })
        let handle = loop.schedule(
            every: .milliseconds(1),
            probe.tick { tick in
                #expect(inside.add() == 1)
                let latch = Latch()
                let before = others.value
                loop.schedule(after: .milliseconds(10)) { latch.signal() }
                // Time passes while the closure runs: several of its own instants, too.
                loop.advance(by: .milliseconds(10))
                #expect(latch.wait())
                #expect(others.value > before)
                inside.add(-1)
                // It takes longer than its interval, so it would never let the loop catch up.
                if rounds.add() == 5 { tick.cancel() }
            })
        loop.advance(by: .milliseconds(100))
        #expect(rounds.value == 5 && !handle.isPending)
        other.cancel()
        loop.shutdown()
    }

    /// The delay of a fixed-delay timer counts from the closure's end.
    @Test func aFixedDelayCountsFromTheEnd() throws {
        let loop = try manualLoop()
        let starts = Shared<[Int]>()
        let indices = Shared<[Int]>()
        let handle = loop.schedule(
            everyAfterCompletion: .milliseconds(10), startingAfter: .milliseconds(1),
            probe.tick { tick in
                starts.append(loop.elapsed)
                indices.append(tick.index)
                #expect(tick.missed == 0 && tick.lateness == .zero)
                loop.advance(by: .milliseconds(tick.index == 1 ? 25 : 3))
            })
        loop.advance(by: .milliseconds(80))
        #expect(starts.value == [1, 14, 49, 62, 75])
        #expect(indices.value == [0, 1, 2, 3, 4])
        #expect(handle.cancel() == .cancelled)
        #expect(loop.metrics.missed == 0)
    }

    /// A repeat that is moved goes on from where it was moved to.
    @Test(arguments: [true, false])
    func aRearmedRepeatGoesOnFromThere(inside: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let ticks = Shared<[[Int]]>()
        let handle = loop.schedule(
            every: .milliseconds(10),
            probe.tick { tick in ticks.append([tick.index, loop.elapsed, tick.missed]) })
        loop.advance(by: .milliseconds(25))
        let move: @Sendable () -> Bool = { handle.rearm(after: .milliseconds(2)) }
        #expect(inside ? loop.inside(move) : move())
        loop.advance(by: .milliseconds(23))
        #expect(ticks.value == [[0, 10, 0], [1, 20, 0], [2, 27, 0], [3, 37, 0], [4, 47, 0]])
        // Later than its next instant, too.
        #expect(handle.rearm(after: .milliseconds(50)))
        loop.advance(by: .milliseconds(60))
        #expect(ticks.value.suffix(2) == [[5, 98, 0], [6, 108, 0]])
        handle.cancel()
    }
}
