// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// `tryExecute` and the limit of waiting posts.
@Suite(.offPool) struct PostLimitTests {
    private let probe = Probe()

    @Test func beyondTheLimitItRefusesAndReleases() throws {
        let loop = try manualLoop(maxPendingPosts: 4)
        for _ in 0..<4 { #expect(loop.tryExecute(probe.work())) }
        #expect(!loop.tryExecute(probe.work()))
        #expect(probe.released == 1 && loop.metrics.refused == 1)
        loop.execute(probe.work())
        #expect(!loop.tryExecute(probe.work()), "execute has no limit, and counts")
        loop.settle()
        #expect(probe.ran == 5)
        #expect(loop.tryExecute(probe.work()))
        loop.settle()
        #expect(probe.ran == 6)
    }

    /// The loop's own closures are limited, too.
    @Test func theLimitHoldsOnTheLoop() throws {
        let loop = try manualLoop(maxPendingPosts: 3)
        let probe = probe
        loop.inside {
            for number in 0..<6 {
                #expect(loop.tryExecute(probe.work()) == (number < 3))
            }
        }
        loop.settle()
        #expect(probe.ran == 3)
        loop.inside { #expect(loop.tryExecute(probe.work())) }
        loop.settle()
        #expect(probe.ran == 4)
    }

    /// Timers are no posts: however many wait in the inbox, they leave room.
    @Test func timersDoNotCount() throws {
        let loop = try manualLoop(maxPendingPosts: 2)
        for _ in 0..<10 {
            loop.schedule(after: .hours(1), probe.work()).rearm(after: .hours(2))
        }
        #expect(loop.tryExecute(probe.work()))
        #expect(loop.tryExecute(probe.work()))
        #expect(!loop.tryExecute(probe.work()))
        loop.shutdown()
    }

    @Test func withoutALimitEverythingIsAccepted() throws {
        let loop = try manualLoop()
        for _ in 0..<10_000 { #expect(loop.tryExecute(probe.work())) }
        loop.settle()
        #expect(probe.ran == 10_000)
    }

    /// From eight threads at once: never more than the limit wait, and each closure runs or was
    /// refused.
    @Test func theLimitHoldsForManyThreads() throws {
        let loop = try manualLoop(maxPendingPosts: 50)
        let accepted = Counter()
        onThreads(8) { [probe] _ in
            for _ in 0..<1_000 where loop.tryExecute(probe.work()) {
                accepted.add()
            }
        }
        #expect(accepted.value == 50)
        loop.settle()
        #expect(probe.ran == 50)
        #expect(loop.metrics.refused == 7_950)
        #expect(probe.live == 0)
    }

    /// Refused by shutdown as by the limit; a released post leaves room for nobody.
    @Test func afterShutdownItRefuses() throws {
        let loop = try manualLoop(maxPendingPosts: 2)
        #expect(loop.tryExecute(probe.work()))
        let report = loop.shutdown()
        #expect(report.cancelledPosts == 1)
        #expect(!loop.tryExecute(probe.work()))
        #expect(probe.live == 0)
    }
}
