// SPDX-License-Identifier: Apache-2.0

#if NIO
internal import BenchKit
internal import NIOCore
internal import NIOPosix
internal import Rivals

/// Sockets as channels of NIO's, which reads each one that is readable.
enum NIOEvents {
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let sockets: WatchedEvents.Rounds

        init(_ sockets: WatchedEvents.Rounds) { self.sockets = sockets }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { sockets.countRead() }
    }

    static func events(_ count: Int, rounds: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let sockets = try WatchedEvents.Rounds(count, rounds)
        try nio.loop.submit { Cores.stay() }.wait()
        for descriptor in sockets.pairs.copies() {
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
