// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Cancels on the loop's own thread, and of timers that are over: C1, C4.
@Suite(.offPool) struct CancelTests {
    private let probe = Probe()

    /// C1, C2: the closure never runs, and is released when `cancel()` returns.
    @Test(arguments: [true, false], [0, 1, 1_000_000, 50_000_000, 3_600_000_000_000])
    func cancelBeforeFireReleasesTheClosure(inside: Bool, delay: Int) throws {
        let loop = try manualLoop()
        let probe = probe
        let check: @Sendable () -> Void = {
            let handle = loop.schedule(after: .nanoseconds(delay), probe.work())
            #expect(handle.isPending)
            #expect(handle.cancel() == .cancelled)
            #expect(probe.released == 1)
            #expect(!handle.isPending)
            #expect(handle.cancel() == .finished, "twice")
        }
        if inside {
            loop.inside(check)
        } else {
            check()
        }
        loop.advance(by: .hours(2))
        #expect(probe.ran == 0)
        #expect(loop.metrics.cancelled == 1)
        #expect(loop.metrics.pending == 0)
    }

    /// C1: a repeat that cancels itself has no further tick and is released as soon as it returns.
    @Test func aRepeatThatCancelsItselfEnds() throws {
        let loop = try manualLoop()
        let probe = probe
        let ticks = Shared<[Int]>()
        loop.schedule(
            every: .milliseconds(10),
            probe.tick { tick in
                ticks.append(tick.index)
                if tick.index == 2 {
                    #expect(tick.handle.isPending)
                    tick.cancel()
                    #expect(!tick.handle.isPending)
                    #expect(tick.handle.cancel() == .running)
                    #expect(!tick.handle.rearm(after: .zero))
                    #expect(probe.released == 0, "it is still running")
                    loop.execute { #expect(probe.released == 1) }
                }
            })
        loop.advance(by: .milliseconds(100))
        #expect(ticks.value == [0, 1, 2])
        #expect(probe.released == 1)
        #expect(loop.metrics.cancelled == 1 && loop.metrics.pending == 0)
    }

    /// A stale handle does not touch the timer that has its slot now.
    @Test(arguments: [true, false])
    func aStaleHandleDoesNotTouchTheSlotsNextTimer(fires: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let stale = Shared(Set<TimerHandle>())
        for _ in 0..<2_000 {
            loop.inside {
                let handle = loop.schedule(after: .milliseconds(1), probe.work())
                #expect(stale.value.isDisjoint(with: [handle]), "a generation is used once")
                for old in stale.value.prefix(8) {
                    #expect(old.cancel() == .finished)
                    #expect(!old.rearm(after: .seconds(1)))
                    #expect(!old.isPending)
                }
                #expect(handle.isPending)
                if !fires {
                    handle.cancel()
                }
                stale.update { _ = $0.insert(handle) }
            }
            loop.advance(by: .milliseconds(1))
        }
        #expect(probe.ran == (fires ? 2_000 : 0))
        #expect(stale.value.count == 2_000)
    }

    /// C4: a handle is a plain value.
    @Test func droppingAHandleLetsTheTimerGoOn() throws {
        let loop = try manualLoop()
        do {
            let handle = loop.schedule(after: .milliseconds(1), probe.work())
            let copy = handle
            #expect(copy == handle)
        }
        loop.schedule(every: .milliseconds(1), probe.work())
        loop.advance(by: .milliseconds(3))
        #expect(probe.ran == 4)
        loop.shutdown()
    }

    /// Cancels of every kind in random order agree with a dumb model.
    @Test func randomCancelsAgreeWithAModel() throws {
        var random = Seeded()
        let loop = try manualLoop()
        var pending: [Int: TimerHandle] = [:]
        var deadlines: [Int: LoopClock.Instant] = [:]
        let fired = Shared(Set<Int>())
        for number in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let delay = Duration.nanoseconds(Int64.random(in: 0...100_000_000, using: &random))
                deadlines[number] = loop.now.advanced(by: delay)
                pending[number] = loop.schedule(
                    after: delay, probe.work { fired.update { _ = $0.insert(number) } })
            case 5..<8:
                guard let victim = pending.randomElement(using: &random) else { continue }
                let inside = Bool.random(using: &random)
                let result = inside ? loop.inside { victim.value.cancel() } : victim.value.cancel()
                // A turn runs before the inside cancel: what was due by now has fired.
                let isOver = fired.value.contains(victim.key)
                #expect(result == (isOver ? .finished : .cancelled))
                pending[victim.key] = nil
            default:
                loop.advance(by: .nanoseconds(Int64.random(in: 0...5_000_000, using: &random)))
                for (number, _) in pending where deadlines[number]! <= loop.now {
                    #expect(fired.value.contains(number))
                    pending[number] = nil
                }
            }
        }
        loop.runDue()
        pending = pending.filter { !fired.value.contains($0.key) }
        #expect(loop.metrics.pending == pending.count)
        #expect(probe.live == pending.count)
        #expect(loop.shutdown().cancelledTimers == pending.count)
    }
}
