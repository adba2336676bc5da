// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// Delays the result, value or error, by `delay` after this future's completion; zero or less:
    /// until the context's next turn.
    ///
    /// - Parameter context: Keeps the time, and completes the future.
    /// - Returns: The future that completes with the same result, later.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    public func delay(
        _ delay: Duration, on context: any ExecutionContext = defaultContext()
    ) -> Future {
        chained(at: .direct(before: context)) {
            $1.follow(Future(result: $0, after: delay, on: context))
        }
    }

    /// Takes this future's result if it comes within `limit`. This future is not cancelled.
    ///
    /// - Parameters:
    ///   - limit: From now on the loop's clock. It completes the future on the loop's thread.
    ///   - loop: Keeps the time.
    /// - Returns: The future of this one's result. An error arrives as ``FutureError/failed(_:)``.
    ///   It fails with ``FutureError/timedOut`` once `limit` has passed, and with
    ///   ``FutureError/shutdown`` if the loop is shut down first.
    /// - Complexity: O(1). The timer is a node of the loop's wheel, which the result frees at once;
    ///   the time limit leaves nothing in this future.
    public func timeout(
        _ limit: Duration, on loop: Loop = .current ?? .shared
    ) -> Future<Value, FutureError<Failure>> {
        let limited = Future<Value, FutureError<Failure>>()
        if let result {
            limited.resolve(result.mapError { .failed($0) })
            return limited
        }
        // The first of the result and the limit empties the completer, and removes the other.
        let completer = Completer(limited, on: loop)
        let callback = Callback(at: .direct)
        let notice = DropNotice((completer, callback)) { completer, callback in
            // The loop is shut down, or the result came first, and cancelled the timer.
            completer.abandon()
            callback.remove()
        }
        let timer = loop.schedule(after: limit) {
            notice.dismiss()
            completer.complete(.failure(.timedOut))
            callback.remove()
        }
        whenOver(callback) { ending in
            completer.follow(ending)
            timer.cancel()
        }
        // The limit may have passed before the callback was registered.
        if limited.isCompleted { callback.remove() }
        return limited
    }

    /// Calls `log` when this future completes, in the thread that completes it, with the text
    /// `Future <identifier> completed`. Without `identifier` the call site names the future.
    /// - Returns: The future with the same result, which completes after `log` has returned.
    /// - Complexity: As ``map(on:_:)``.
    @preconcurrency
    public func debug(
        _ identifier: String? = nil, file: String = #fileID, line: UInt = #line,
        _ log: @escaping @Sendable (String) -> Void
    ) -> Future {
        let name = identifier ?? "at \(file):\(line)"
        return andThen(on: .immediate) { _ in log("Future \(name) completed") }
    }
}
