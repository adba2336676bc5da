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
        chained(at: .direct(before: context)) { result, child in
            // This one may be gone when the delay has passed.
            child.ref.wait(through: nil)
            let pledge = Pledge(child, on: context)
            context.schedule(after: delay) { pledge.complete(result) }
        }
    }

    /// This future's result if it comes within `limit`, else ``FutureError/timedOut``.
    ///
    /// This future goes on and stays usable. The timer is a node of the loop's wheel, which is free
    /// again as soon as the result is there. On a loop that is shut down, or is being shut down before
    /// either happens, it fails with ``FutureError/shutdown``.
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
        // Whichever comes first empties the pledge, and takes the other away.
        let pledge = Pledge(limited)
        let visit = futureVisit()
        let notice = DropNotice((pledge, visit, loop)) { pledge, visit, loop in
            // The loop has shut down. Else the result came first, and cancelled the timer.
            if let refusal = loop.refusal {
                pledge.end(because: .refused(refusal))
                visit.end()
            }
        }
        let timer = loop.schedule(after: limit) {
            notice.dismiss()
            pledge.complete(.failure(.timedOut))
            visit.end()
        }
        begin(visit) { ending in
            pledge.follow(ending)
            timer.cancel()
        }
        if limited.isCompleted {
            // Perhaps before the visit began.
            visit.end()
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
