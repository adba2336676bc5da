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
