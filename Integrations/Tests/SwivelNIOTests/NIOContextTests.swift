// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import NIOPosix
import SwivelCore
import SwivelFutures
import SwivelNIO
import Testing

@Suite struct NIOContextTests {
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private var context: NIOContext { NIOContext(eventLoop) }

    @Test func closuresRunOnTheEventLoop() async throws {
        #expect(!context.isCurrent)
        let isCurrent = await context.submit { [context, eventLoop] in
            context.isCurrent && eventLoop.inEventLoop
        }.value
        #expect(isCurrent)
    }

    @Test func timersFireOnTheEventLoopAndNeverEarly() async throws {
        let due = LoopClock.Instant.now + .milliseconds(2)
        let promise = Promise<(Bool, LoopClock.Instant), Never>()
        context.schedule(at: due) { [eventLoop] in
            promise.succeed((eventLoop.inEventLoop, .now))
        }
        let (isThere, fired) = await promise.future.value
        #expect(isThere)
        #expect(fired >= due)
    }

    @Test func ticksRunOnTheEventLoopUntilTheyAreCancelled() async throws {
        let promise = Promise<[Int], Never>()
        let indices = EventLoopBox<[Int]>([])
        context.schedule(every: .milliseconds(1), missed: .burst) { [eventLoop] tick in
            eventLoop.preconditionInEventLoop()
            indices.value.append(tick.index)
            if tick.index == 2 {
                tick.cancel()
                promise.succeed(indices.value)
            }
        }
        #expect(await promise.future.value == [0, 1, 2])
    }

    @Test func aPostNeverRunsInsideItsCall() async throws {
        let order = await context.submit { [context] in
            let order = EventLoopBox<[String]>([])
            context.execute { order.value.append("post") }
            order.value.append("caller")
            return order.value
        }.value
        #expect(order == ["caller"])
    }

    @Test func aCancelIsAbsoluteUntilTheClosureStartsThere() async throws {
        // The loop's thread cannot start the closure while this one runs there.
        let result = await context.submit { [context] in
            let timer = context.schedule(after: .zero) { Issue.record("it was cancelled") }
            return timer.cancel()
        }.value
        #expect(result == .cancelled)
        try await eventLoop.submit {}.get()
    }

    @Test func futuresContinueOnTheEventLoop() async throws {
        let sum = await Async<Int> { 20 }.map(on: context) { [eventLoop] in
            eventLoop.preconditionInEventLoop()
            return $0 + 1
        }.map(on: .immediate) { $0 * 2 }.value
        #expect(sum == 42)
    }

    @Test func aDeadEventLoopReleasesTheWork() throws {
        // A real one prints a message besides.
        let embedded = EmbeddedEventLoop()
        try embedded.syncShutdownGracefully()
        let future: Future<Int, any Error> = NIOContext(embedded).submit { 1 }
        #expect(throws: SwivelError.self) { try future.await() }
    }
}

/// A value that closures on one event loop share.
final class EventLoopBox<Value>: @unchecked Sendable {
    // because only one event loop's closures touch it.
    var value: Value

    init(_ value: Value) { self.value = value }
}
