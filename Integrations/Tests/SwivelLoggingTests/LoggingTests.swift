// SPDX-License-Identifier: Apache-2.0
import InMemoryLogging
import Logging
import SwivelCore
import SwivelFutures
import SwivelLogging
import SwivelTesting
import Testing

@Suite struct LoggingTests {
    private let entries = InMemoryLogHandler()
    private var logger: Logger {
        var logger = Logger(label: "tests") { _ in entries }
        logger.logLevel = .debug
        return logger
    }

    @Test func aShutdownReportBecomesMetadata() throws {
        let loop = try Loop.manual(.init(name: "io"))
        loop.schedule(after: .seconds(1)) {}
        loop.schedule(after: .seconds(2)) {}
        loop.execute {}
        let report = loop.shutdown()
        #expect(!loop.tryExecute {})
        logger.log(report, of: "io", level: .notice)
        let entry = try #require(entries.entries.first)
        #expect(entry.level == .notice)
        #expect(entry.message == "a loop has shut down")
        #expect(
            entry.metadata.mapValues { "\($0)" } == [
                "loop": "io", "ran": "\(report.ran)", "cancelled_timers": "2",
                "cancelled_posts": "1", "cancelled_watches": "0", "running": "0", "refused": "0",
                "is_complete": "true",
            ])
    }

    @Test func aLoopsMetricsBecomeMetadata() throws {
        let loop = try Loop.manual(.init(name: "io"))
        loop.schedule(after: .seconds(3600)) {}
        loop.schedule(after: .seconds(1)) {}
        loop.schedule(after: .seconds(2)) {}.cancel()
        loop.execute {}
        loop.advance(by: .seconds(1))
        logger.logMetrics(of: loop)
        let entry = try #require(entries.entries.first)
        #expect(entry.level == .debug)
        let metadata = entry.metadata.mapValues { "\($0)" }
        #expect(metadata["loop"] == "io")
        for (key, value) in ["fired": 1, "posts": 1, "pending": 1, "cancelled": 1, "refused": 0] {
            #expect(metadata[key] == "\(value)", "\(key)")
        }
        #expect(metadata.keys.count == 13)
        loop.shutdown()
    }

    @Test func aLevelThatIsOffLogsNothing() throws {
        let loop = try Loop.manual()
        logger.logMetrics(of: loop, level: .trace)
        #expect(entries.entries.isEmpty)
        loop.shutdown()
    }

    @Test func highWaterIsAWarningAndItsEndANotice() throws {
        let (first, second) = (Heard(), Heard())
        var configuration = Loop.Configuration(name: "io", highWaterMark: 2) { first.add($0) }
        configuration.logHighWater(to: logger)
        // The library calls the two in a row: the logger has been called when this one is.
        let both = configuration.onHighWater
        configuration.onHighWater = {
            both?($0)
            second.add($0)
        }
        let loop = try Loop.embedded(configuration)
        for _ in 0..<2 { loop.execute {} }
        second.wait(for: 1)
        while loop.runOnce(.noWait) {}
        second.wait(for: 2)
        #expect(first.all.map(\.isAbove) == [true, false])
        #expect(entries.entries.map(\.level) == [.warning, .notice])
        #expect(entries.entries.allSatisfy { $0.metadata["loop"] == "io" })
        #expect(
            entries.entries.map { $0.metadata["pending_posts"].map { "\($0)" } }
                == first.all.map { "\($0.pendingPosts)" })
        loop.shutdown()
    }

    @Test func anUnobservedFailureIsLoggedWithItsError() throws {
        defer { Future.onUnobservedFailure(nil) }
        Future.logUnobservedFailures(to: logger)
        Promise<Int, any Error>().fail(Fault.late)
        let heard = Promise<Int, any Error>()
        heard.future.onFailure(on: .immediate) { _ in }
        heard.fail(Fault.late)
        Promise<Int, any Error>().fail(Fault.early)
        // A program has one observer: it may hear of other tests' futures.
        let own = entries.entries.filter { $0.error is Fault }
        #expect(own.map { $0.error as? Fault } == [.late, .early])
        #expect(own.map(\.level) == [.error, .error])
    }
}

private enum Fault: Error { case early, late }
