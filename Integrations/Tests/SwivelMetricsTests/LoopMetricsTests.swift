// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import MetricsTestKit
import SwivelCore
import SwivelMetrics
import SwivelTesting
import Testing

@Suite struct LoopMetricsTests {
    private let backend = TestMetrics()

    private func total(_ name: String, _ loop: String = "io") -> Int64 {
        backend.counterTotal(label: "swivel_loop_\(name)", dimensions: [("loop", loop)])
    }

    private func gauge(_ name: String, _ more: [(String, String)] = []) throws -> Double? {
        try backend.expectGauge("swivel_loop_\(name)", [("loop", "io")] + more).lastValue
    }

    @Test func everyCounterFollowsTheLoopsOwn() throws {
        let loop = try Loop.manual(.init(name: "io", maxPendingPosts: 1))
        let reporter = LoopMetricsReporter(for: loop, factory: backend)
        loop.execute {}
        #expect(!loop.tryExecute {})
        loop.schedule(after: .seconds(3600)) {}.cancel()
        loop.schedule(after: .seconds(3600)) {}
        loop.schedule(after: .seconds(1)) {}
        loop.advance(by: .seconds(1))
        reporter.report()

        let metrics = loop.metrics
        #expect(total("posts") == 1)
        #expect(total("refused") == 1)
        #expect(total("cancelled") == 1)
        #expect(total("fired") == 1)
        #expect(total("missed") == Int64(metrics.missed))
        #expect(total("turns") == Int64(metrics.turns) && metrics.turns > 0)
        #expect(total("wakes") == Int64(metrics.wakes))
        #expect(total("parks") == Int64(metrics.parks))
        #expect(try gauge("pending") == 1)
        #expect(try gauge("busy_share") == metrics.busyShare)
        #expect(try gauge("lateness_seconds", [("quantile", "0.99")]) == 0)
        loop.shutdown()
    }

    @Test func aCounterRisesByTheDifferenceToTheReportBefore() throws {
        let loop = try Loop.manual(.init(name: "io"))
        let reporter = LoopMetricsReporter(for: loop, factory: backend)
        for posts in [3, 0, 2] {
            for _ in 0..<posts { loop.execute {} }
            loop.advance(by: .zero)
            reporter.report()
        }
        #expect(try backend.expectCounter("swivel_loop_posts", [("loop", "io")]).values == [3, 2])
        loop.shutdown()
    }

    @Test func latenessIsThatOfTheFiresSinceTheReportBefore() throws {
        let loop = try Loop.embedded(.init(name: "io"))
        let reporter = LoopMetricsReporter(for: loop, factory: backend)
        let due = loop.now + .milliseconds(1)
        loop.schedule(at: due) {}
        // Late by two milliseconds at least, because nobody drives the loop until then.
        while loop.now < due + .milliseconds(2) {}
        while loop.metrics.fired < 1 { loop.runOnce(.noWait) }
        reporter.report()
        let bound = loop.metrics.lateness.quantile(0.5)
        try #require(bound > .milliseconds(1))
        for quantile in ["0.5", "0.9", "0.99"] {
            let seconds = try #require(try gauge("lateness_seconds", [("quantile", quantile)]))
            #expect(abs(seconds - bound / .seconds(1)) < 1e-9)
        }
        // None has fired since.
        reporter.report()
        #expect(try gauge("lateness_seconds", [("quantile", "0.5")]) == 0)
        loop.shutdown()
    }

    @Test func reportsComeAtTheIntervalUntilTheyAreCancelled() throws {
        let loop = try Loop.manual(.init(name: "io"))
        let reports = loop.reportMetrics(every: .seconds(10), on: loop, factory: backend)
        loop.advance(by: .seconds(9))
        #expect(total("turns") == 0)
        for _ in 0..<3 { loop.advance(by: .seconds(10)) }
        let pending = try backend.expectGauge("swivel_loop_pending", [("loop", "io")])
        #expect(pending.values == [1, 1, 1], "the timer of the reports itself")
        #expect(reports.cancel() == .cancelled)
        loop.advance(by: .seconds(100))
        #expect(pending.values.count == 3)
        #expect(loop.pending.isEmpty)
        loop.shutdown()
    }

    @Test func reportsEndWithTheLoopAndDoNotKeepIt() throws {
        let keeper = try Loop.manual()
        var loop: Loop? = try Loop.manual(.init(name: "io"))
        weak var gone: Loop?
        gone = loop
        let reports = try #require(loop).reportMetrics(
            every: .seconds(10), on: keeper, factory: backend)
        keeper.advance(by: .seconds(10))
        #expect(reports.isPending)
        loop = nil
        #expect(gone == nil)
        keeper.advance(by: .seconds(10))
        #expect(!reports.isPending)
        #expect(keeper.pending.isEmpty)
        keeper.shutdown()
    }

    @Test func dimensionsAreAddedAndTheNameCanBeReplaced() throws {
        let loop = try Loop.manual(.init(name: "io"))
        let all = [("service", "mail"), ("loop", "one")]
        LoopMetricsReporter(for: loop, dimensions: all, factory: backend).report()
        #expect(throws: Never.self) { try backend.expectGauge("swivel_loop_pending", all) }
        #expect(
            backend.recorders(label: "swivel_loop_pending", dimensions: [("loop", "io")]).isEmpty)
        loop.shutdown()
    }

    @Test func aGroupReportsEachOfItsLoops() throws {
        let clock = try Loop.manual()
        let group = try LoopGroup(count: 2, configuration: .init(name: "io"))
        let reports = group.reportMetrics(every: .seconds(1), on: clock, factory: backend)
        clock.advance(by: .seconds(1))
        #expect(backend.recorders(label: "swivel_loop_pending").count == 2)
        for name in ["io-0", "io-1"] {
            #expect(throws: Never.self) {
                try backend.expectGauge("swivel_loop_pending", [("loop", name)])
            }
        }
        reports.cancel()
        group.shutdown()
        clock.shutdown()
    }
}
