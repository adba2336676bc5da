// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct ThrottleTests {
    private let probe = Probe()

    /// Plays calls, and draws the runs.
    private func runs(_ calls: String, _ edges: Throttle.Edges) throws -> String {
        let loop = try manualLoop()
        let line = Timeline(on: loop)
        let throttle = Throttle(
            on: loop, every: .seconds(3), edges: edges, probe.work { line.mark("r") })
        loop.play(calls) { _ in throttle.call() }
        loop.advance(by: .seconds(12))
        return "\(line)"
    }

    /// The calls of a burst that run the work, as drawings.
    @Test(arguments: [
        (Throttle.Edges.both, "cccc-----c", "r--r-----r---"),
        (.leading, "cccc-----c", "r--r-----r---"),
        (.trailing, "cccc-----c", "---r--------r"),
        (.both, "cc", "r--r---------"),
        (.leading, "cc", "r------------"),
        (.trailing, "cc", "---r---------"),
        (.both, "c", "r------------"),
        (.both, "cccccccc", "r--r--r--r---"),
        (.leading, "cccccccc", "r--r--r------"),
        (.trailing, "cccccccc", "---r--r--r---"),
    ])
    func edgesDecideWhoRuns(edges: Throttle.Edges, calls: String, expected: String) throws {
        #expect(try runs(calls, edges) == expected)
    }

    /// The work never runs inside a call, and the last reference releases it.
    @Test func theWorkRunsLater() throws {
        let loop = try manualLoop()
        let throttle = Throttle(on: loop, every: .seconds(1), probe.work())
        loop.inside { [probe] in
            throttle.call()
            #expect(probe.ran == 0 && throttle.isPending)
        }
        loop.runDue()
        #expect(probe.ran == 1 && !throttle.isPending)
    }

    /// A cancelled run does not start, and the interval goes on.
    @Test func aCancelDropsTheRun() throws {
        let loop = try manualLoop()
        let throttle = Throttle(on: loop, every: .seconds(1), probe.work())
        throttle.call()
        loop.runDue()
        throttle.call()
        #expect(throttle.cancel() && !throttle.cancel() && !throttle.isPending)
        throttle.call()
        loop.advance(by: .milliseconds(999))
        #expect(probe.ran == 1)
        loop.advance(by: .milliseconds(1))
        #expect(probe.ran == 2)
    }

    /// The interval counts from the start of a run, which a slow closure before it has made late.
    @Test func theIntervalCountsFromALateRun() throws {
        let loop = try manualLoop()
        let runs = Shared<[Int]>()
        let throttle = Throttle(
            on: loop, every: .seconds(3), probe.work { runs.append(loop.elapsed) })
        throttle.call()
        loop.runDue()
        throttle.call()
        // Due at 3 s, and held up until 4.9 s.
        loop.schedule(after: .milliseconds(2_900), probe.work { loop.advance(by: .seconds(2)) })
        loop.advance(by: .milliseconds(4_950))
        #expect(runs.value == [0, 4_900])
        throttle.call()
        loop.advance(by: .seconds(10))
        #expect(runs.value == [0, 4_900, 7_900])
    }

    /// A context that is no loop gets one closure at a time; the interval counts from its start.
    @Test func itRunsOnAnyContext() throws {
        let queue = QueueContext()
        func verify<Context: ExecutionContext>(_ context: Context) {
            let (probe, arrived) = (Probe(), queue.arrived)
            let throttle = Throttle(on: context, every: .hours(1), probe.work())
            #expect(throttle.call())
            queue.waitForArrivals(arrived + 1)
            #expect(throttle.call() && throttle.isPending && probe.ran == 0)
            queue.runAll()
            #expect(probe.ran == 1 && !throttle.isPending)
            #expect(throttle.call() && throttle.isPending && throttle.cancel())
            #expect(queue.count == 0)
        }
        for context in contexts(on: queue) { verify(context) }
        let (starts, arrived) = (Shared<[LoopClock.Instant]>([]), queue.arrived)
        let throttle = Throttle(
            on: queue, every: .milliseconds(2), probe.work { starts.append(.now) })
        for number in 1...10 {
            throttle.call()
            queue.waitForArrivals(arrived + number)
            queue.runAll()
        }
        // The clocks of two threads may differ by nanoseconds.
        for (one, next) in zip(starts.value, starts.value.dropFirst()) {
            #expect(one.duration(to: next) >= .milliseconds(2) - .microseconds(1))
        }
        #expect(starts.value.count == 10)
    }

    /// After shutdown a call is refused.
    @Test func shutdownRefusesCalls() throws {
        let loop = try manualLoop()
        let throttle = Throttle(on: loop, every: .seconds(1), probe.work())
        #expect(throttle.call() && throttle.isPending)
        loop.shutdown()
        #expect(!throttle.call() && !throttle.isPending)
    }

    /// An interval that is not above zero is a mistake.
    @Test func aZeroIntervalTraps() async {
        await #expect(processExitsWith: .failure) {
            try exitTest { _ = Throttle(on: try manualLoop(), every: .zero) {} }
        }
    }
}
