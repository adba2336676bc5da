// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// A timer that is armed again and again.
@Suite(.offPool) struct LoopTimerTests {
    private let probe = Probe()

    /// T1, T6: instants, leeway, the past, never.
    @Test func itIsArmedInManyWays() throws {
        let loop = try manualLoop()
        let fired = Shared<[Int]>()
        let timer = LoopTimer(on: loop, probe.work { fired.append(loop.elapsed) })
        timer.arm(at: epoch.advanced(by: .milliseconds(3)))
        loop.advance(by: .milliseconds(3))
        timer.arm(at: epoch)
        #expect(fired.value == [3], "not inside the call")
        loop.runDue()
        timer.arm(after: .seconds(-1))
        loop.runDue()
        timer.arm(at: LoopClock.Instant(nanoseconds: 0))
        loop.runDue()
        #expect(fired.value == [3, 3, 3, 3])
        timer.arm(after: .milliseconds(10), leeway: .milliseconds(4))
        loop.advance(by: .milliseconds(9))
        #expect(fired.value.count == 4)
        loop.advance(by: .milliseconds(5))
        #expect(fired.value.count == 5)
        for enormous in [Duration.seconds(Int64.max), .nanoseconds(UInt64.max)] {
            timer.arm(after: enormous)
            timer.arm(after: enormous, leeway: enormous)
            loop.advance(by: .hours(1_000_000))
            #expect(timer.isArmed && fired.value.count == 5)
        }
        timer.arm(at: .never)
        #expect(timer.disarm() == .cancelled)
    }

    /// C1, C2: after a disarm it does not fire before it is armed again.
    @Test(arguments: [true, false])
    func aDisarmedTimerDoesNotFire(inside: Bool) throws {
        let loop = try manualLoop()
        let timer = LoopTimer(on: loop, probe.work())
        let disarm: @Sendable () -> CancelResult = { timer.disarm() }
        #expect((inside ? loop.inside(disarm) : disarm()) == .finished)
        timer.arm(after: .milliseconds(5))
        #expect((inside ? loop.inside(disarm) : disarm()) == .cancelled)
        #expect((inside ? loop.inside(disarm) : disarm()) == .finished)
        loop.runDue()
        #expect(!timer.isArmed && loop.metrics.pending == 0)
        loop.advance(by: .seconds(1))
        #expect(probe.ran == 0)
        timer.arm(after: .milliseconds(5))
        loop.advance(by: .milliseconds(5))
        #expect(probe.ran == 1)
    }

    /// When the last reference goes, armed or not, the closure is released.
    @Test(arguments: [true, false], [true, false])
    func itReleasesItsClosureWithTheLastReference(armed: Bool, inside: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let body: @Sendable () -> Void = {
            let timer = LoopTimer(on: loop, probe.work())
            if armed { timer.arm(after: .milliseconds(1)) }
            #expect(probe.released == 0)
        }
        inside ? loop.inside(body) : body()
        #expect(probe.released == 1)
        loop.advance(by: .milliseconds(10))
        #expect(probe.ran == 0 && loop.metrics.pending == 0)
    }

    /// S2: on a loop that is shut down.
    @Test func afterShutdownItRefuses() throws {
        let loop = try manualLoop()
        let timer = LoopTimer(on: loop, probe.work())
        timer.arm(after: .milliseconds(1))
        let report = loop.shutdown()
        #expect(report.cancelledTimers == 1)
        #expect(probe.released == 1)
        #expect(!timer.arm(after: .milliseconds(1)))
        #expect(!timer.arm(after: .milliseconds(1), leeway: .seconds(1)))
        #expect(!timer.arm(at: .never) && !timer.isArmed)
        #expect(timer.disarm() == .finished)
        let late = LoopTimer(on: loop, probe.work())
        #expect(probe.released == 2)
        #expect(!late.arm(after: .zero) && !late.arm(at: .now) && !late.isArmed)
        #expect(late.disarm() == .finished)
    }

    /// Random arms and disarms agree with a dumb model.
    @Test func randomArmsAgreeWithAModel() throws {
        var random = Seeded()
        let loop = try manualLoop()
        let fired = Shared<[[UInt64]]>()
        let timers = (0..<20).map { number in
            LoopTimer(
                on: loop, probe.work { fired.append([UInt64(number), loop.now.nanoseconds]) })
        }
        var armed: [Int: UInt64] = [:]
        var expected: Set<[UInt64]> = []
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<20, using: &random)
            let timer = timers[number]
            let inside = Bool.random(using: &random)
            // A due timer fires before the inside call, in the same turn.
            if inside { loop.runDue() }
            for (number, deadline) in armed where deadline <= loop.now.nanoseconds && inside {
                expected.insert([UInt64(number), deadline])
                armed[number] = nil
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2:
                let delay = Int64.random(in: 1...4_000_000, using: &random)
                let arm: @Sendable () -> Bool = { timer.arm(after: .nanoseconds(delay)) }
                #expect(inside ? loop.inside(arm) : arm())
                armed[number] = loop.now.nanoseconds + UInt64(delay)
            case 3:
                let disarm: @Sendable () -> CancelResult = { timer.disarm() }
                let result = inside ? loop.inside(disarm) : disarm()
                #expect(result == (armed[number] == nil ? .finished : .cancelled))
                armed[number] = nil
            default:
                loop.advance(by: .nanoseconds(Int64.random(in: 0...1_000_000, using: &random)))
                for (number, deadline) in armed where deadline <= loop.now.nanoseconds {
                    expected.insert([UInt64(number), deadline])
                    armed[number] = nil
                }
            }
            #expect(timer.isArmed == (armed[number] != nil))
            if inside {
                loop.runDue()
                #expect(loop.metrics.pending == armed.count)
                #expect(loop.nextDeadline?.nanoseconds == armed.values.min())
            }
        }
        #expect(Set(fired.value) == expected)
        #expect(fired.value.count == expected.count)
    }

    /// Just before the end of time a timer that was disarmed is not due, nor is one that is never due.
    @Test(arguments: [true, false])
    func aDisarmedTimerIsNeverDue(isLast: Bool) throws {
        let loop = try manualLoop()
        let timers = (0..<3).map { _ in LoopTimer(on: loop, probe.work()) }
        loop.inside {
            for timer in timers {
                timer.arm(after: .hours(1))
                #expect(timer.disarm() == .cancelled)
            }
            timers[1].arm(at: .never)
            timers[2].arm(after: .hours(2))
        }
        #expect(loop.metrics.pending == 2)
        #expect(loop.nextDeadline == epoch.advanced(by: .hours(2)))
        loop.advance(to: LoopClock.Instant(nanoseconds: isLast ? .max - 1 : 1 << 62))
        #expect(probe.ran == 1 && loop.metrics.pending == 1 && loop.nextDeadline == nil)
        loop.inside { timers[0].arm(after: .nanoseconds(1)) }
        #expect(loop.metrics.pending == 2)
        loop.advance(by: .nanoseconds(1))
        withExtendedLifetime(timers) {}
    }
}
