// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import NIOCore
import NIOEmbedded
import NIOPosix
import ServiceLifecycle
import Swivel
import Testing
import Tracing

@Suite struct SampleTests {
    @Test func theServerRunsAndEnds() async throws {
        let loop = try Loop()
        let entries = InMemoryLogHandler()
        let logger = Logger(label: "tests") { _ in entries }
        // Ends at once, which cancels the group.
        await #expect(throws: ServiceGroupError.serviceFinishedUnexpectedly()) {
            try await serve(on: loop, with: Ended(), logger: logger)
        }
        #expect(entries.entries.contains { "\($0.message)".hasPrefix("0 closures ran") })
    }

    @Test func theMetricsArePublished() throws {
        let backend = TestMetrics()
        let loop = try Loop.embedded(.init(name: "io"))
        withMetricsFactory(backend) {
            #expect(publish(loop).cancel() == .cancelled)
            loop.execute {}
            loop.runOnce(.noWait)
            _ = publishLast(of: loop)
        }
        #expect(backend.counterTotal(label: "swivel_loop_posts_total") == 1)
    }

    @Test func theRuntimesMetricsArePublished() throws {
        let backend = TestMetrics()
        try withMetricsFactory(backend) {
            let (reports, watchdog) = try publishRuntime()
            #expect(reports.cancel() == .cancelled)
            watchdog.cancel()
        }
        #expect(backend.counters(label: "swivel_runtime_stalls_total").count == 1)
    }

    @Test func theLoopIsLogged() throws {
        defer { Future.onUnobservedFailure(nil) }
        let entries = InMemoryLogHandler()
        try work(logger: Logger(label: "tests") { _ in entries })
        #expect(entries.entries.map(\.message) == ["a loop's metrics", "a loop has shut down"])
    }

    @Test func theRequestIsTraced() throws {
        let tracer = InMemoryTracer()
        let loop = try Loop.embedded()
        withTracer(tracer) { handle(3, on: loop) }
        loop.runOnce(.noWait)
        #expect(tracer.finishedSpans.map(\.operationName) == ["request", "store"])
        #expect(tracer.finishedSpans.last?.attributes.get("size") == 3)
        loop.shutdown()
    }

    @Test func theRequestIsAnswered() async throws {
        let eventLoop = NIOAsyncTestingEventLoop()
        let request = eventLoop.makePromise(of: String.self)
        let length = respond(to: request.futureResult)
        request.succeed("hello")
        let running = Task { while !Task.isCancelled { await eventLoop.run() } }
        #expect(try await length.get() == 5)
        running.cancel()
        await running.value
        #expect(deadline(in: .seconds(1)) > NIODeadline.now())
    }

    @Test func theHouseIsKept() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (kept, keeping) = AsyncStream.makeStream(of: Bool.self)
        let eventLoop = group.next()
        let loop = try housekeeping(on: eventLoop) { keeping.yield(eventLoop.inEventLoop) }
        #expect(await kept.first { _ in true } == true)
        let report = try await end(loop, on: group)
        #expect(report.isComplete && report.cancelledTimers == 1)
    }

    @Test func theSilentConnectionIsClosed() async throws {
        let server = try await EchoServer(port: 0, idleAfter: .milliseconds(50))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ClientBootstrap(group: group)
            .connect(host: "127.0.0.1", port: server.port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "hello"))
        try await channel.closeFuture.get()
        try await group.shutdownGracefully()
        try await server.shutdown()
    }

    @Test func theServerEndsWithItsTask() async throws {
        let serving = Task { try await serve(port: 0) }
        serving.cancel()
        try await serving.value
    }
}

private struct Ended: Service {
    func run() async {}
}
