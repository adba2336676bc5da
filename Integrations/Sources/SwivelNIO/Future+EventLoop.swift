// SPDX-License-Identifier: Apache-2.0
#if NIO
public import NIOCore
internal import SwivelCore
public import SwivelFutures

extension Future {
    /// This future as one of NIO's, with the same result, whose callbacks run on `eventLoop`.
    ///
    /// If nobody is left to complete this future, the other fails: with this one's error, or, where
    /// `Failure` cannot express it, with `SwivelError.Code.abandoned`. NIO's promise never leaks.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - eventLoop: Where the returned future's callbacks run. It must run until there is a
    ///     result.
    ///   - file: The place of the call, for NIO's own messages.
    ///   - line: See `file`.
    /// - Returns: The future of NIO. Dropping it changes nothing.
    /// - Complexity: O(1), some allocations.
    public func eventLoopFuture(
        on eventLoop: any EventLoop, file: StaticString = #fileID, line: UInt = #line
    ) -> EventLoopFuture<Value> {
        let promise = eventLoop.makePromise(of: Value.self, file: file, line: line)
        let duty = PromiseDuty(promise)
        onComplete(on: .immediate) { duty.complete($0.mapError { $0 as any Error }) }
        return promise.futureResult
    }
}
#endif
