// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import Swivel
internal import SwivelServiceLifecycle
internal import Trials

/// An HTTP server with limits: `GET /` answers at once, `/limited` a thousand times a second at
/// most, and `/slow` is given up at its deadline. SIGTERM lets it finish what it has begun.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        let limits = Limits(
            rate: options["rate", default: 1000],
            deadline: options[seconds: "deadline", default: .milliseconds(250)],
            idle: options[seconds: "idle", default: .seconds(5)])
        let loop = try Loop(Loop.Configuration(name: "limits"))
        let figures = Figures()
        var logger = Logger(label: "web")
        logger.logLevel = .error
        let app = Application(
            router: routes(figures, limits, on: loop),
            server: .http1(configuration: connections(limits)),
            configuration: .init(
                address: .hostname("127.0.0.1", port: options["port", default: 8080])),
            // It comes first, because a group shuts down in reverse order: the server ends, and
            // then the loop that its deadlines need.
            services: [LoopService(loop, shutdown: .drain(within: .seconds(5)))],
            onServerRunning: { say("listening on port \($0.localAddress?.port ?? 0)") },
            logger: logger)
        try await app.runService()
        say(figures.summary)
        figures.check(limits)
    }

    /// A connection that sends no whole head of a request within the limit is closed. A head has at
    /// most 16 KiB.
    private static func connections(_ limits: Limits) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [Draining(grace: TimeAmount(limits.idle))],
            idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))
    }

    private static func routes(
        _ figures: Figures, _ limits: Limits, on loop: Loop
    ) -> Router<BasicRequestContext> {
        let limiter = RateLimiter(limits.rate, per: .seconds(1), burst: limits.burst, on: loop)
        let deadlines = RequestDeadlines(on: loop)
        let router = Router()
        // Before the books are kept, so that they say nothing of it.
        router.get("figures") { _, _ in figures.summary + "\n" }
        router.add(middleware: Bookkeeper(figures: figures))
        router.get("/") { _, _ in "hello\n" }
        router.get("limited") { _, _ in
            guard limiter.tryAcquire() else { throw HTTPError(.tooManyRequests) }
            return "hello\n"
        }
        // Work elsewhere that takes far too long half of the time.
        router.get("slow") { _, _ in
            let time = limits.deadline * (Bool.random() ? 4 : 0.5)
            try await deadlines.within(limits.deadline) { try await loop.clock.sleep(for: time) }
            return "late, but here\n"
        }
        return router
    }
}

/// The limits of the server.
struct Limits: Sendable {
    /// Answers a second of `/limited`.
    let rate: Int
    /// How long `/slow` may take.
    let deadline: Duration
    /// How long a connection may need for the head of a request, also while the server drains.
    let idle: Duration

    /// Answers at once, after a pause.
    var burst: Int { max(rate / 10, 1) }
}

/// Deadlines of requests, all under one timer of a loop.
struct RequestDeadlines {
    private let queue: DeadlineQueue<@Sendable () -> Void>

    init(on loop: Loop) {
        queue = DeadlineQueue(on: loop) { late in late.forEach { cancel in cancel() } }
    }

    /// Runs `work`, and cancels it at the deadline: the client hears of that.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let deadline = queue.add({ task.cancel() }, after: limit)
        defer { deadline.remove() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            throw HTTPError(.gatewayTimeout)
        }
    }
}
