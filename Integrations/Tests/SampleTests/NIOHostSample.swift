// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Swivel
import SwivelNIO

// The loop has no thread. Its closures run on the event loop's, like the channels'.
func housekeeping(
    on eventLoop: any EventLoop, _ work: @escaping @Sendable () -> Void
) throws -> Loop {
    let loop = try Loop.hosted(by: eventLoop)
    loop.schedule(every: .milliseconds(100)) { _ in work() }
    return loop
}

// At the end, the loop comes before its event loop.
func end(_ loop: Loop, on group: any EventLoopGroup) async throws -> ShutdownReport {
    let report = await loop.shutdown()
    try await group.shutdownGracefully()
    return report
}
