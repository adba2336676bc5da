// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import NIOPosix
import SwivelCore
import SwivelFutures
import SwivelNIO
import Testing

@Suite struct NIOFutureTests {
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.next()

    @Test func aValueComesThroughBothWays() async throws {
        let there = eventLoop.submit { 42 }.swivelFuture()
        #expect(try await there.value == 42)
        let back = there.eventLoopFuture(on: eventLoop)
        #expect(try await back.get() == 42)
    }

    @Test func anErrorComesThroughBothWays() async throws {
        let failed: EventLoopFuture<Int> = eventLoop.makeFailedFuture(Fault.broken)
        let there = failed.swivelFuture()
        await #expect(throws: Fault.broken) { try await there.value }
        let back = there.eventLoopFuture(on: eventLoop)
        await #expect(throws: Fault.broken) { try await back.get() }
        let typed = Future<Int, Fault>(error: .broken).eventLoopFuture(on: eventLoop)
        await #expect(throws: Fault.broken) { try await typed.get() }
    }

    @Test func aSwivelFutureCompletesOnTheEventLoopInTheSameRound() throws {
        let embedded = EmbeddedEventLoop()
        let promise = embedded.makePromise(of: Int.self)
        let future = promise.futureResult.swivelFuture()
        #expect(!future.isCompleted)
        promise.succeed(7)
        #expect(try future.result?.get() == 7)
        try embedded.syncShutdownGracefully()
    }

    @Test func callbacksOfAnEventLoopFutureRunOnItsEventLoop() async throws {
        let promise = Promise<Int, Never>()
        let future = promise.future.eventLoopFuture(on: eventLoop)
        let isThere = future.map { [eventLoop] _ in eventLoop.inEventLoop }
        let loop = try Loop()
        loop.execute { promise.succeed(1) }
        #expect(try await isThere.get())
        await loop.shutdown()
    }

    @Test func anAbandonedFutureFailsTheEventLoops() async throws {
        // `Failure` says it.
        let loose = Promise<Int, any Error>().future.eventLoopFuture(on: eventLoop)
        await #expect(throws: SwivelError.self) { try await loose.get() }
        // `Failure` cannot: a future that nobody promises to complete, released.
        let mute = Future<Int, Never>().eventLoopFuture(on: eventLoop)
        await #expect {
            try await mute.get()
        } throws: {
            ($0 as? SwivelError)?.code == .abandoned
        }
    }
}

enum Fault: Error { case broken }
