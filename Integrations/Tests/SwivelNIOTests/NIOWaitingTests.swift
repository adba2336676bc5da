// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import SwivelCore
import SwivelFutures
import SwivelNIO
import Testing

/// Blocking waits on the thread of an event loop.
@Suite struct NIOWaitingTests {
    @Test func aWaitForWorkThatWasSubmittedToTheSameEventLoopStopsTheProgram() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let context = NIOContext(MultiThreadedEventLoopGroup.singleton.next())
            _ = await context.submit { context.submit { 1 }.await() }.value
        }
        try expectRefusal(in: result)
    }

    @Test func aWaitForAFutureOfTheSameEventLoopStopsTheProgram() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
            let never = eventLoop.makePromise(of: Int.self)
            let future = never.futureResult.swivelFuture().map(on: .background) { $0 + 1 }
            _ = await NIOContext(eventLoop).submit { try? future.await() }.value
        }
        try expectRefusal(in: result)
    }

    @Test func aWaitForAnotherContextEndsAsUsual() async throws {
        let loop = try Loop()
        let context = NIOContext(MultiThreadedEventLoopGroup.singleton.next())
        let value = await context.submit {
            loop.submit { 40 }.await() + Async<Int> { 2 }.await()
        }.value
        #expect(value == 42)
        await loop.shutdown()
    }

    @Test func aWaitWithATimeLimitEnds() async throws {
        let context = NIOContext(MultiThreadedEventLoopGroup.singleton.next())
        let future = context.submit { () throws(FutureError<Never>) in
            try context.submit { 1 }.await(timeout: .milliseconds(1))
        }
        await #expect(throws: FutureError<Never>.timedOut) { try await future.value }
    }

    private func expectRefusal(in result: ExitTest.Result?) throws {
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("waits forever"), "\(message)")
        #expect(message.contains("the event loop SelectableEventLoop"), "\(message)")
    }
}
