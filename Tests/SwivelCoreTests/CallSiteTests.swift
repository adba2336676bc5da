// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// A mistake that stops the program is shown where the program made it, not in the library.
@Suite struct CallSiteTests {
    enum Mistake: String, CaseIterable, Codable, Sendable {
        case interval, intervalOnAnotherContext, intervalWithTaskLocals, fixedDelay, jitter, request
        case ticks, throttle, rateLimit, permits, backoff, constantBackoff, poolWithoutThreads
        case run, runOnce, waitForVirtualTime, shutdownOfShared, notOnTheLoop

        func make() throws {
            let loop = try Loop.manual()
            switch self {
            case .interval: loop.schedule(every: .zero) {}
            case .intervalOnAnotherContext: ImmediateContext().schedule(every: .zero) { _ in }
            case .intervalWithTaskLocals: loop.inheritingTaskLocals.schedule(every: .zero) {}
            case .fixedDelay: loop.schedule(everyAfterCompletion: .zero) {}
            case .jitter: loop.schedule(every: .seconds(1), jitter: -1...0) {}
            case .request: _ = TimerRequest(.after(.zero), .afterCompletion(.zero) { _ in })
            case .ticks: _ = loop.ticks(every: .zero)
            case .throttle: _ = Throttle(on: loop, every: .zero) {}
            case .rateLimit: _ = RateLimiter(0, per: .seconds(1), on: loop)
            case .permits: _ = RateLimiter(1, per: .seconds(1), on: loop).tryAcquire(2)
            case .backoff: _ = Backoff.exponential(factor: 0)
            case .constantBackoff: _ = Backoff.constant(.seconds(-1))
            case .poolWithoutThreads: _ = WorkerPool(threads: 0)
            case .run: try Loop().run()
            case .runOnce: try Loop().runOnce(.noWait)
            case .waitForVirtualTime: loop.runOnce(.wait)
            case .shutdownOfShared: Loop.shared.shutdown()
            case .notOnTheLoop: loop.preconditionCurrent()
            }
        }
    }

    @Test(arguments: Mistake.allCases) func aTrapNamesTheCallersLine(_ mistake: Mistake)
        async throws
    {
        let result = try await #require(
            processExitsWith: .failure, observing: standardError
        ) { [mistake = mistake as Mistake] in
            try exitTest { try mistake.make() }
        }
        #expect(printed("SwivelCoreTests/CallSiteTests.swift:", result))
        #expect(printed("Fatal error: Swivel: ", result))
    }
}
