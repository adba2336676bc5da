// SPDX-License-Identifier: Apache-2.0
#if NIO
internal import BenchKit
internal import CRawUV
internal import Dispatch
internal import NIOCore
internal import NIOPosix
internal import Rivals

/// An event loop of swift-nio's, in a group of its own.
struct NIOLoop: TickingContender {
    static var name: String { RivalName.nio }
    static var answers: Bool { false }

    let group: MultiThreadedEventLoopGroup
    let loop: any EventLoop

    init() {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
    }

    static func open() -> Self { Self() }

    /// A cancel looks at one armed task after the other.
    static func pairCost(outstanding: Int) -> Int { 1_300 + outstanding * 27 / 10 }

    func close() -> Int {
        try? group.syncShutdownGracefully()
        return 0
    }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { loop.execute(work) }

    @inline(__always)
    func after(
        _ delay: Delay, _ work: consuming @escaping @Sendable () -> Void
    ) -> Scheduled<Void> {
        loop.scheduleTask(in: .nanoseconds(Int64(delay.nanoseconds)), work)
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> Scheduled<Void> {
        loop.scheduleTask(deadline: .monotonic(deadline), work)
    }

    func every(
        _ interval: Int, startingAfter: Int, leeway: Int,
        _ work: @escaping @Sendable (Int?) -> Void
    ) -> RepeatedTask {
        loop.scheduleRepeatedTask(
            initialDelay: .nanoseconds(Int64(startingAfter)), delay: .nanoseconds(Int64(interval))
        ) { _ in work(nil) }
    }

    func stop(_ repeating: RepeatedTask) -> Bool {
        repeating.cancel()
        return true
    }

    @inline(__always)
    func cancel(_ task: Scheduled<Void>) -> Bool {
        task.cancel()
        return true
    }

    @inline(__always)
    func rearm(
        _ task: inout Scheduled<Void>, after delay: Delay, _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        task.cancel()
        task = after(delay, work)
        return true
    }
}

extension NIODeadline {
    /// An instant of the clock that the lab reads.
    static func monotonic(_ nanoseconds: UInt64) -> NIODeadline {
        .now() + .nanoseconds(Int64(nanoseconds) - Int64(Clocks.wall()))
    }
}

/// Futures of swift-nio's, on their loop's thread, where they are cheapest.
enum NIOFutures {
    static func maps(_ length: Int, chains: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let turns = Turns { nio.post($0) }
        var measurement = try ChainSum.measure(length, chains: chains) { chains in
            let sum = Tally()
            turns.run {
                for chain in 0..<chains {
                    let promise = nio.loop.makePromise(of: Int.self)
                    var future = promise.futureResult
                    for step in 0..<length { future = future.map { $0 &+ step } }
                    future.whenSuccess { sum.cell.pointee &+= $0 }
                    promise.succeed(chain)
                }
            }
            return sum.value
        }
        try measurement.check("left behind", nio.close(), is: 0)
        return measurement
    }

    /// A thread that waits for a value of the loop's.
    static func waits(_ series: WaitSeries) throws -> Measurement {
        let nio = NIOLoop.open()
        let measurement = try series.measure { trip in
            (try? nio.loop.submit { trip }.wait()) ?? -1
        }
        _ = nio.close()
        return measurement
    }
}

/// An actor that lives on an event loop.
actor NIOResident {
    private let loop: any EventLoop
    private(set) var count = 0
    private(set) var sum = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    private func receive() -> Int {
        count &+= 1
        return count
    }

    private func visit(_ other: NIOResident, times: Int) async {
        Cores.stay()
        for _ in 0..<times { sum &+= await other.receive() }
        Cores.leave()
    }

    /// Calls from one actor to another on the same event loop.
    static func hops(_ count: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let (visitor, visited) = (NIOResident(nio.loop), NIOResident(nio.loop))
        let (span, visits) = Awaited.time(on: nil) {
            await visitor.visit(visited, times: count)
            return Visits(count: await visited.count, sum: await visitor.sum)
        }
        _ = nio.close()
        return try visits.measurement(span, count)
    }
}

/// Sockets as channels of NIO's, which reads each one that is readable.
enum NIOEvents {
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let sockets: WatchedEvents.Rounds

        init(_ sockets: WatchedEvents.Rounds) { self.sockets = sockets }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if raw_crowd_count(sockets.crowd) { sockets.last.signal() }
        }
    }

    static func events(_ count: Int, rounds: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let sockets = try WatchedEvents.Rounds(count, rounds)
        try nio.loop.submit { Cores.stay() }.wait()
        for descriptor in sockets.watched.map({ dup($0) }) {
            // The channel owns its descriptor.
            _ = try ClientBootstrap(group: nio.loop)
                .channelOption(
                    .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16)
                )
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Reader(sockets))
                    }
                }
                .withConnectedSocket(descriptor).wait()
        }
        let measurement = try sockets.measure()
        try nio.loop.submit { Cores.leave() }.wait()
        _ = nio.close()
        return measurement
    }
}
#endif
