// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import Swivel
internal import SwivelNIO
internal import Synchronization

/// An echo server of SwiftNIO, whose connections end when they are silent for too long. Each event
/// loop hosts a loop of Swivel, so the timeouts need neither a thread nor a timer for each
/// connection.
final class TimeoutServer: Sendable {
    /// The connections of one event loop.
    private struct Shelf: Sendable {
        let loop: Loop
        let idle: IdleTracker<Connection>
    }

    private let group: MultiThreadedEventLoopGroup
    private let shelves: [ObjectIdentifier: Shelf]
    private let listener: any Channel
    private let books: Books

    init(threads: Int, idleAfter limit: Duration) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let books = Books()
        var shelves: [ObjectIdentifier: Shelf] = [:]
        for eventLoop in group.makeIterator() {
            let loop = try Loop.hosted(by: eventLoop)
            // On the event loop's thread, where the channels live: closing them is no hop.
            let idle = IdleTracker<Connection>(on: loop, after: limit) { connections in
                books.closedIdle.add(connections.count, ordering: .relaxed)
                for connection in connections { connection.channel.close(promise: nil) }
            }
            shelves[ObjectIdentifier(eventLoop)] = Shelf(loop: loop, idle: idle)
        }
        let all = shelves
        listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let shelf = all[ObjectIdentifier(channel.eventLoop)] else { return }
                    books.accepted.add(1, ordering: .relaxed)
                    try channel.pipeline.syncOperations.addHandler(Echo(shelf.idle))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        (self.group, self.shelves, self.books) = (group, shelves, books)
    }

    var port: Int { listener.localAddress?.port ?? 0 }
    var accepted: Int { books.accepted.load(ordering: .relaxed) }
    var closedIdle: Int { books.closedIdle.load(ordering: .relaxed) }

    /// A hosted loop ends before its event loop.
    func shutdown() async throws {
        try await listener.close()
        for shelf in shelves.values { _ = await shelf.loop.shutdown() }
        try await group.shutdownGracefully()
    }

    private final class Books: Sendable {
        let accepted = Atomic<Int>(0)
        let closedIdle = Atomic<Int>(0)
    }
}

/// A channel as an ID: itself, and equal to no other.
struct Connection: Hashable, Sendable {
    let channel: any Channel

    static func == (lhs: Connection, rhs: Connection) -> Bool { lhs.channel === rhs.channel }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(channel)) }
}

/// Sends back what comes, and says that its channel is alive.
private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let idle: IdleTracker<Connection>
    private var entry: IdleEntry?

    init(_ idle: IdleTracker<Connection>) {
        self.idle = idle
    }

    func channelActive(context: ChannelHandlerContext) {
        entry = idle.add(Connection(channel: context.channel))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        entry?.touch()
        context.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        entry?.remove()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
