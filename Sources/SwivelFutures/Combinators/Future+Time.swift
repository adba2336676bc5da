// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// The future that completes with the same result, a value or an error, `delay` after this one.
    ///
    /// - Parameters:
    ///   - delay: Zero or less: in the context's next turn.
    ///   - context: Keeps the time, and completes the future.
    /// - Complexity: O(1).
    public func delay(
        _ delay: Duration, on context: any ExecutionContext = defaultContext()
    ) -> Future {
        chained { result, child in
            let pledge = Pledge(child)
            context.schedule(after: delay) { pledge.complete(result) }
        }
    }

    /// This future's result if it comes within `limit`, else ``FutureError/timedOut``.
    ///
    /// This future goes on and stays usable. The timer is a node of the loop's wheel, which is free
    /// again as soon as the result is there.
    /// - Parameters:
    ///   - limit: From now on the loop's clock.
    ///   - loop: Keeps the time.
    /// - Complexity: O(1).
    public func timeout(
        _ limit: Duration, on loop: Loop = .current ?? .shared
    ) -> Future<Value, FutureError<Failure>> {
        let limited = Future<Value, FutureError<Failure>>()
        if let result {
            limited.resolve(result.mapError { .failed($0) })
            return limited
        }
        let timer = loop.schedule(after: limit) {
            if limited.claim() {
                limited.resolve(.failure(.timedOut))
            }
        }
        let pledge = Pledge(limited)
        whenOver { result in
            timer.cancel()
            pledge.complete(result.mapError { .failed($0) })
        }
        return limited
    }

    /// Logs when this future completes: `Future <identifier> completed`.
    ///
    /// - Parameters:
    ///   - identifier: Names the future; without one, the place of the call does.
    ///   - file: See `identifier`.
    ///   - line: See `identifier`.
    ///   - log: Gets the line, in the thread that completes.
    /// - Returns: The future with the same result that completes after the log.
    public func debug(
        _ identifier: String? = nil, file: String = #fileID, line: UInt = #line,
        _ log: @escaping @Sendable (String) -> Void
    ) -> Future {
        andThen(on: .immediate) { _ in
            log("Future \(identifier ?? "at \(file):\(line)") completed")
        }
    }
}
