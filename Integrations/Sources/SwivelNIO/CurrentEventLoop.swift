// SPDX-License-Identifier: Apache-2.0
#if NIO
internal import NIOCore
internal import SwivelCore

/// An event loop on which work that is already there runs at once.
///
/// A future with a callback here is known to need the event loop, so that a wait on it is refused;
/// the callback itself costs no further round of the event loop.
struct CurrentEventLoop: ExecutionContext, CustomStringConvertible {
    let eventLoop: any EventLoop

    func execute(_ work: @escaping @Sendable () -> Void) {
        if eventLoop.inEventLoop {
            work()
        } else {
            eventLoop.execute(work)
        }
    }

    var isCurrent: Bool { eventLoop.inEventLoop }

    var description: String { "\(NIOContext(eventLoop))" }
}
#endif
