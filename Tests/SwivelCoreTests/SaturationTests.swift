// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Enormous and forbidden values: T6.
@Suite(.offPool) struct SaturationTests {
    private let probe = Probe()
    private static let enormous: [Duration] = [
        .seconds(Int64.max), .nanoseconds(UInt64.max), .nanoseconds(UInt64.max - 1),
        Duration(attoseconds: .max), Duration(secondsComponent: .max, attosecondsComponent: 0),
        Duration(secondsComponent: 18_446_744_073, attosecondsComponent: 709_551_615_999_999_999),
    ]

    /// T6: a delay beyond the clock's range never fires, and can be cancelled.
    @Test(arguments: enormous)
    func aDelayBeyondTheClockNeverFires(delay: Duration) throws {
        let loop = try manualLoop()
        let outside = loop.schedule(after: delay, probe.work())
        let inside = loop.inside { [probe] in loop.schedule(after: delay, probe.work()) }
        let lazy = loop.schedule(after: delay, leeway: delay, probe.work())
        loop.advance(by: .seconds(100 * 365 * 86_400))
        loop.advance(by: .seconds(Int64.max))
        #expect(loop.now == LoopClock.Instant(nanoseconds: .max - 1))
        #expect(probe.ran == 0)
        for handle in [outside, inside, lazy] {
            #expect(handle.isPending)
            #expect(handle.cancel() == .cancelled)
        }
        #expect(probe.released == 3)
    }

    /// T6: at the end of the clock's range sums saturate and order holds.
    @Test func aLoopAtTheEndOfTheClockGoesOn() throws {
        let start = LoopClock.Instant(nanoseconds: .max - 1_000)
        let loop = try Loop.manual(startingAt: start)
        let order = Shared<[Int]>()
        loop.schedule(after: .nanoseconds(900), probe.work { order.append(2) })
        loop.schedule(after: .nanoseconds(500), probe.work { order.append(1) })
        let beyond = loop.schedule(after: .nanoseconds(5_000), probe.work { order.append(3) })
        loop.schedule(
            after: .nanoseconds(100), leeway: .seconds(1), probe.work { order.append(0) })
        let repeating = loop.schedule(every: .nanoseconds(400), probe.work { order.append(9) })
        loop.advance(by: .seconds(1))
        #expect(order.value.filter { $0 == 9 }.count == 2)
        #expect(order.value.filter { (1...2).contains($0) } == [1, 2])
        #expect(!order.value.contains(3))
        #expect(beyond.cancel() == .cancelled)
        #expect(repeating.cancel() == .cancelled)
        loop.shutdown()
    }

    /// T6: an interval beyond the clock's range ticks once, at its first instant, if ever.
    @Test(arguments: enormous)
    func anEnormousIntervalTicksAtItsFirstInstantOnly(interval: Duration) throws {
        let loop = try manualLoop()
        let never = loop.schedule(every: interval, probe.work())
        let once = loop.schedule(
            every: interval, startingAfter: .milliseconds(1), probe.tick())
        let fixedDelay = loop.schedule(
            everyAfterCompletion: interval, startingAfter: .milliseconds(1),
            probe.tick())
        loop.advance(by: .seconds(Int64.max))
        #expect(probe.ran == 2)
        #expect(never.cancel() == .cancelled)
        #expect(once.cancel() == .cancelled)
        #expect(fixedDelay.cancel() == .cancelled)
    }

    /// T6: more instants than an `Int` counts are held at its largest, in the tick and in the metrics.
    @Test(arguments: [MissedTicks.skip, .delay])
    func countsOfInstantsSaturate(missed: MissedTicks) throws {
        let loop = try manualLoop()
        let last = Shared<Tick?>(nil)
        for _ in 0..<2 {
            loop.schedule(
                every: .nanoseconds(1), missed: missed,
                probe.tick { tick in
                    last.value = tick
                    loop.advance(to: LoopClock.Instant(nanoseconds: .max - 1))
                    if tick.missed > 0 { tick.cancel() }
                })
        }
        loop.advance(by: .nanoseconds(1))
        #expect(last.value?.missed == Int.max)
        #expect(last.value?.index == (missed == .skip ? Int.max : 1))
        #expect(loop.metrics.missed == Int.max)
        loop.shutdown()
    }

    /// T6: intervals that are not above zero stop the program and say why.
    @Test func anIntervalOfZeroTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            let loop = try Loop.manual()
            loop.schedule(every: .zero) {}
        }
        #expect(result.errors.contains("an interval must be above zero"))
        await #expect(processExitsWith: .failure) {
            let loop = try Loop.manual()
            loop.schedule(every: .nanoseconds(-1)) {}
        }
        await #expect(processExitsWith: .failure) {
            ImmediateContext().schedule(every: .zero) {}
        }
    }

    /// Jitter below zero would make ticks early (T1).
    @Test func jitterBelowZeroOrInfiniteTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            let loop = try Loop.manual()
            loop.schedule(every: .seconds(1), jitter: -0.1...0.1) {}
        }
        #expect(result.errors.contains("jitter must lie in 0..., not -0.1...0.1"))
        await #expect(processExitsWith: .failure) {
            let loop = try Loop.manual()
            loop.schedule(every: .seconds(1), jitter: 0...(.infinity)) {}
        }
    }
}

extension ExitTest.Result {
    /// The text that the process has written to its standard error.
    var errors: String {
        String(decoding: standardErrorContent, as: UTF8.self)
    }
}
