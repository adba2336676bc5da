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
        #expect(probe.released == 2 && loop.metrics.refused == 2)
        loop.runDue()
        #expect(probe.ran == 4)
        #expect(loop.tryExecute(probe.work()))
        loop.execute(probe.work())
        loop.runDue()
        #expect(probe.ran == 6)
    }

    /// Work that continues accepted work is never lost to the limit, and takes room from new work.
    @Test func whatIsAcceptedBeforeOrWaitedForIsNotRefused() throws {
        let loop = try manualLoop(maxPendingPosts: 2)
        for _ in 0..<5 { loop.executeBeyondLimit(probe.work()) }
        #expect(!loop.tryExecute(probe.work()))
        loop.runDue()
        #expect(probe.ran == 5)
        #expect(loop.tryExecute(probe.work()))
        loop.runDue()
    }

    /// The limit holds for posts that a manual loop puts in an order of its own, before it does so.
    @Test func theLimitHoldsForPostsThatASeedOrders() throws {
        let loop = try Loop.manual(
            Loop.Configuration(name: "test.seeded", maxPendingPosts: 3), seed: 1)
        let probe = probe
        let accepted = Counter()
        onThreads(4) { _ in
            for _ in 0..<10 where loop.tryExecute(probe.work()) { accepted.add() }
        }
        #expect(accepted.value == 3)
        loop.advance(by: .zero)
        #expect(probe.ran == 3)
        #expect(loop.tryExecute(probe.work()))
        loop.shutdown()
        #expect(!loop.tryExecute(probe.work()))
        #expect(loop.metrics.refused == 38)
        #expect(probe.live == 0)
    }

    #if DEBUG
    /// Work that is dropped without a word to its caller is reported, once for each loop.
    @Test func aFullLoopSaysSoOnce() async throws {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            for name in ["first", "second"] {
                let loop = try Loop.manual(Loop.Configuration(name: name, maxPendingPosts: 1))
                for _ in 0..<10 { loop.execute {} }
                _ = loop.tryExecute {}
                loop.shutdown()
                loop.execute {}
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        for name in ["first", "second"] {
            #expect(text.split(separator: "Loop(\(name)) is full").count == 2, "\(text)")
        }
    }
    #endif

    /// Refused by shutdown as by the limit; a released post leaves no room.
    @Test func afterShutdownItRefuses() throws {
        let loop = try manualLoop(maxPendingPosts: 2)
        #expect(loop.tryExecute(probe.work()))
        let report = loop.shutdown()
        #expect(report.cancelledPosts == 1)
        #expect(!loop.tryExecute(probe.work()))
        #expect(probe.live == 0)
    }
}
