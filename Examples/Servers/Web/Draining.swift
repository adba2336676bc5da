// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Ends a connection of a server that drains without losing a request.
///
/// Hummingbird closes a connection that waits for its next request at once, which the client may
/// have sent already. This handler, in front of hummingbird's own, answers that request with
/// `Connection: close` instead, and closes the connection behind the answer. A client that sends
/// none within `grace` is closed.
final class Draining: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let grace: TimeAmount
    private var isDraining = false
    /// The answer under way has told the client that it is the last.
    private var isLast = false
    private var requests = 0

    init(grace: TimeAmount) {
        self.grace = grace
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        isDraining = true
        closeAfterGrace(context)
    }

    /// Unless a request is under way by then: its answer is the last.
    private func closeAfterGrace(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: grace) {
            let (handler, context) = bound.value
            if handler.requests == 0 { context.close(promise: nil) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { requests += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isDraining && head.status.kind != .informational:
            head.headerFields[.connection] = "close"
            isLast = true
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            requests -= 1
            context.writeAndFlush(data, promise: promise)
            if isLast {
                context.close(promise: nil)
            } else if isDraining {
                closeAfterGrace(context)  // The answer's head was before the end began.
            }
        default:
            context.write(data, promise: promise)
        }
    }
}
