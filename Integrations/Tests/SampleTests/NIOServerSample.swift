// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Swivel
import SwivelNIO

/// An echo server that closes connections which are silent. Each event loop hosts a loop.
final class EchoServer: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
    private let loops: [Loop]
    private let listener: any Channel

    init(port: Int, idleAfter limit: Duration) async throws {
        var loops: [Loop] = []
        var trackers: [ObjectIdentifier: IdleTracker<Connection>] = [:]
        for eventLoop in group.makeIterator() {
            let loop = try Loop.hosted(by: eventLoop)
            loops.append(loop)
            // One timer for all connections of the event loop. Runs where they live.
            trackers[ObjectIdentifier(eventLoop)] = IdleTracker(on: loop, after: limit) { idle in
                for connection in idle { connection.channel.close(promise: nil) }
            }
        }
        self.loops = loops
        let idle = trackers
        listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let idle = idle[ObjectIdentifier(channel.eventLoop)] else { return }
                    try channel.pipeline.syncOperations.addHandler(Echo(idle))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
    }

    var port: Int { listener.localAddress?.port ?? 0 }

    /// The loops end before their event loops.
    func shutdown() async throws {
        try await listener.close()
        for loop in loops { await loop.shutdown() }
        try await group.shutdownGracefully()
    }
}

/// Serves until the system ends the program.
func serve(port: Int) async throws {
    let server = try await EchoServer(port: port, idleAfter: .seconds(30))
    // SIGTERM has no other effect from here on.
    for await _ in Loop.shared.signals([.terminate, .interrupt]) { break }
    try await server.shutdown()
}

struct Connection: Hashable, Sendable {
    let channel: any Channel

    static func == (lhs: Connection, rhs: Connection) -> Bool { lhs.channel === rhs.channel }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(channel)) }
}

final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let idle: IdleTracker<Connection>
    private var entry: IdleEntry?

    init(_ idle: IdleTracker<Connection>) { self.idle = idle }

    func channelActive(context: ChannelHandlerContext) {
        entry = idle.add(Connection(channel: context.channel))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        entry?.touch()  // a store
        context.writeAndFlush(data, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { entry?.remove() }
}
