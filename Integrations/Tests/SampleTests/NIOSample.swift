// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Swivel
import SwivelNIO

func respond(to request: EventLoopFuture<String>) -> EventLoopFuture<Int> {
    let eventLoop = request.eventLoop
    // A timer of Swivel's that fires on the event loop.
    let timeout = NIOContext(eventLoop).schedule(after: .seconds(30)) { print("no request") }
    return request.swivelFuture()
        .map(on: .background) { $0.count }  // away from the event loop
        .andThen(on: NIOContext(eventLoop)) { _ in timeout.cancel() }
        .eventLoopFuture(on: eventLoop)
}

// Both clocks count the same nanoseconds.
func deadline(in delay: Duration) -> NIODeadline { NIODeadline(LoopClock.Instant.now + delay) }
