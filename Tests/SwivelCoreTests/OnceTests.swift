// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Coalescing by id: the last call wins.
@Suite(.offPool) struct OnceTests {
    private let probe = Probe()

    @Test(arguments: [true, false])
    func theLastCallWins(inside: Bool) throws {
        let loop = try manualLoop()
        let probe = probe
        let runs = Shared<[[Int]]>()
        let handles = Shared<[TimerHandle]>()
        for number in 0..<50 {
            let call: @Sendable () -> Void = {
                handles.append(
                    loop.once(
                        "last", after: .milliseconds(10),
                        probe.work { runs.append([number, loop.elapsed]) }))
            }
            inside ? loop.inside(call) : call()
            #expect(probe.live == 1, "the replaced closure was released")
            #expect(handles.value.filter(\.isPending).count == 1)
            loop.advance(by: .milliseconds(3))
        }
        #expect(runs.value.isEmpty)
        loop.advance(by: .milliseconds(10))
        #expect(runs.value == [[49, 157]])
        #expect(handles.value.allSatisfy { $0.cancel() == .finished })
    }

    /// A series runs at the latest `maxWait` after its first call.
    @Test func maxWaitLimitsASeries() throws {
        let loop = try manualLoop()
        let probe = probe
        let runs = Shared<[Int]>()
        for _ in 0..<20 {
            loop.inside {
                _ = loop.once(
                    "series", after: .milliseconds(10), maxWait: .milliseconds(25),
                    probe.work { runs.append(loop.elapsed) })
            }
            loop.advance(by: .milliseconds(4))
        }
        #expect(runs.value == [25, 53])
        loop.advance(by: .milliseconds(50))
        #expect(runs.value == [25, 53, 81])
    }

    /// The limit is on the clock of the context, wherever the call comes from.
    @Test func maxWaitFollowsTheContextsClock() throws {
        let loop = try manualLoop()
        let runs = Shared<[Int]>()
        for _ in 0..<20 {
            loop.once(
                "outside", after: .milliseconds(10), maxWait: .milliseconds(25),
                probe.work { runs.append(loop.elapsed) })
            loop.advance(by: .milliseconds(4))
        }
        #expect(runs.value == [25, 53])
        loop.advance(by: .milliseconds(50))
    }

    /// A context that wraps a loop has the loop's time.
    @Test func maxWaitFollowsTheClockOfAWrappedLoop() throws {
        let loop = try manualLoop()
        let runs = Shared<[Int]>()
        for _ in 0..<20 {
            loop.inheritingTaskLocals.once(
                "wrapped", after: .milliseconds(10), maxWait: .milliseconds(25),
                probe.work { runs.append(loop.elapsed) })
            loop.advance(by: .milliseconds(4))
        }
        #expect(runs.value == [25, 53])
        loop.advance(by: .milliseconds(50))
    }

    /// Another context has real time, also for a call in a closure of a manual loop.
    @Test func aLimitOfAnotherContextIsReal() throws {
        let (loop, queue) = (try manualLoop(), QueueContext())
        let runs = Shared<[Int]>()
        loop.execute { queue.once("real", after: .hours(1), maxWait: .hours(1)) { runs.append(1) } }
        loop.runDue()
        queue.once("real", after: .milliseconds(1), maxWait: .hours(1)) { runs.append(2) }
        queue.waitForArrivals(1)
        #expect(queue.runNext())
        #expect(runs.value == [2])
    }

    /// A call on another clock begins a series anew: no instant of one clock limits the other (T1).
    @Test func aSeriesBeginsAnewOnAnotherClock() throws {
        // Far ahead of each other; one of them is real.
        let (early, late) = (try manualLoop(), try manualLoop())
        late.advance(by: .hours(1_000_000))
        let start = late.elapsed
        let runs = Shared<[Int]>()
        let probe = probe
        early.once("clocks", after: .seconds(1), maxWait: .seconds(2), probe.work())
        late.once(
            "clocks", after: .seconds(1), maxWait: .seconds(2),
            probe.work { runs.append(late.elapsed - start) })
        late.advance(by: .milliseconds(1))
        #expect(runs.value.isEmpty)
        late.advance(by: .seconds(5))
        #expect(runs.value == [1_000])
        late.once("clocks", after: .seconds(1), maxWait: .seconds(2), probe.work())
        for _ in 0..<10 {
            early.once(
                "clocks", after: .seconds(1), maxWait: .seconds(2),
                probe.work { runs.append(early.elapsed) })
            early.advance(by: .milliseconds(500))
        }
        #expect(runs.value == [1_000, 2_000, 4_000])
        early.advance(by: .seconds(5))
    }

    /// A series that was cancelled, or whose loop has shut down, leaves no limit behind.
    @Test(arguments: [true, false])
    func aCancelledSeriesLeavesNoLimit(byShutdown: Bool) throws {
        let loop = try manualLoop()
        let next = try manualLoop()
        let probe = probe
        let runs = Shared<[Int]>()
        loop.inside {
            let handle = loop.once(
                "cancelled", after: .milliseconds(10), maxWait: .milliseconds(20), probe.work())
            if !byShutdown { #expect(handle.cancel() == .cancelled) }
        }
        loop.shutdown()
        next.advance(by: .milliseconds(100))
        next.inside {
            _ = next.once(
                "cancelled", after: .milliseconds(10), maxWait: .milliseconds(20),
                probe.work { runs.append(next.elapsed) })
        }
        next.advance(by: .milliseconds(5))
        #expect(runs.value.isEmpty)
        next.advance(by: .milliseconds(50))
        #expect(runs.value == [110])
    }

    /// A newer call replaces context and deadline, too.
    @Test func aNewerCallMovesToItsContext() throws {
        let loop = try manualLoop()
        let other = try manualLoop()
        loop.once("moves", after: .milliseconds(5), probe.work())
        other.once("moves", after: .milliseconds(1), probe.work { #expect(other.isCurrent) })
        loop.advance(by: .milliseconds(20))
        #expect(probe.ran == 0)
        other.advance(by: .milliseconds(20))
        #expect(probe.ran == 1)
        let context = QueueContext()
        context.once("moves", after: .hours(1), probe.work())
        context.once("moves", after: .microseconds(10), probe.work())
        context.waitForArrivals(1)
        context.runAll()
        #expect(probe.ran == 2 && probe.live == 0)
    }

    /// S2: refused at once.
    @Test func afterShutdownItIsRefused() throws {
        let loop = try manualLoop()
        loop.shutdown()
        let handle = loop.once("refused", after: .milliseconds(5), probe.work())
        #expect(!handle.isPending && handle.cancel() == .finished)
        #expect(probe.released == 1)
    }

    /// Leeway and enormous delays are as with `schedule`.
    @Test func enormousDelaysNeverRun() throws {
        let loop = try manualLoop()
        let handle = loop.once(
            "never", after: .seconds(Int64.max), maxWait: .seconds(Int64.max), leeway: .seconds(1),
            probe.work())
        loop.advance(by: .hours(10_000))
        #expect(handle.cancel() == .cancelled)
        loop.once("past", after: .seconds(-5), maxWait: .seconds(-5), probe.work())
        loop.runDue()
        #expect(probe.ran == 1)
    }
}
