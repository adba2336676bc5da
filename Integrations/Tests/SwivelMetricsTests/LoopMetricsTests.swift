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
        backend.counterTotal(label: "swivel_loop_\(name)_total", dimensions: [("loop", loop)])
    }

    private func pending() throws -> [Double] {
        try backend.expectGauge("swivel_loop_pending", [("loop", "io")]).values
    }

    private func lateness() throws -> TestTimer {
        try backend.expectTimer("swivel_loop_lateness_seconds", [("loop", "io")])
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
        #expect(try pending() == [1])
        #expect(try lateness().values == [0])
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
        let posts = try backend.expectCounter("swivel_loop_posts_total", [("loop", "io")])
        #expect(posts.values == [3, 2])
        loop.shutdown()
    }

    @Test func eachFireSinceTheReportBeforeIsAValueOfTheHistogram() throws {
        let loop = try Loop.embedded(.init(name: "io"))
        let reporter = LoopMetricsReporter(for: loop, factory: backend)
        let due = loop.now + .milliseconds(1)
        for _ in 0..<3 { loop.schedule(at: due) {} }
        // Late by two milliseconds at least, because the loop is not driven until then.
        while loop.now < due + .milliseconds(2) {}
        while loop.metrics.fired < 3 { loop.runOnce(.noWait) }
        reporter.report()
        let timer = try lateness()
        #expect(timer.displayUnit == .seconds)
        let bounds = timer.values
        #expect(bounds.count == 3)
        #expect(bounds.allSatisfy { $0 >= 2_000_000 && $0.nonzeroBitCount == 1 })
        let latest = try #require(bounds.max())
        #expect(loop.metrics.lateness.quantile(1) == .nanoseconds(latest))
        // None has fired since.
        reporter.report()
        #expect(timer.values == bounds)
        loop.shutdown()
    }

    @Test func theBusyTimeIsACounterOfSeconds() async throws {
        let backend = BusyTime()
        let began = LoopClock.Instant.now
        let loop = try Loop(.init(name: "io"))
        let reporter = LoopMetricsReporter(for: loop, factory: backend)
        for rounds in 1...3 {
            await withCheckedContinuation { done in
                loop.execute {
                    let start = LoopClock.Instant.now
                    while LoopClock.Instant.now < start + .milliseconds(2) {}
                    done.resume()
                }
            }
            reporter.report()
            #expect(backend.seconds >= 0.002 * Double(rounds))
        }
        #expect(backend.seconds <= began.duration(to: .now) / .seconds(1))
        await loop.shutdown()
    }

    @Test func reportsComeAtTheIntervalUntilTheyAreCancelled() throws {
        let loop = try Loop.manual(.init(name: "io"))
        let reports = loop.reportMetrics(every: .seconds(10), on: loop, factory: backend)
        loop.advance(by: .seconds(9))
        #expect(total("turns") == 0)
        for _ in 0..<3 { loop.advance(by: .seconds(10)) }
        #expect(try pending() == [1, 1, 1], "the timer of the reports itself")
        #expect(reports.cancel() == .cancelled)
        loop.advance(by: .seconds(100))
        #expect(try pending().count == 3)
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
