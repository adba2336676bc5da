// SPDX-License-Identifier: Apache-2.0
#if NIO
public import NIOCore
public import SwivelFutures

extension EventLoopFuture where Value: Sendable {
    /// This future as one of Swivel's, with the same result.
    ///
    /// It completes on the event loop: its callbacks on `.immediate` run there. A blocking wait for
    /// it on the same event loop stops the program with a message instead of hanging; see
    /// ``NIOContext``. If the event loop ends before there is a result, it fails as abandoned.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - file: The place of the call, for the error of a future that is abandoned.
    ///   - line: See `file`.
    /// - Returns: The future. Dropping it changes nothing.
    /// - Complexity: O(1), some allocations.
    public func swivelFuture(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Value, any Error> {
        let promise = Promise<Value, any Error>(file: file, line: line)
        let future = promise.future.map(on: CurrentEventLoop(eventLoop: eventLoop)) { $0 }
        whenComplete { promise.complete($0) }
        return future
    }
}
#endif
