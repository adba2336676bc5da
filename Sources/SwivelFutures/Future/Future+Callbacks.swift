// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// Calls `body` with the result when there is one.
    ///
    /// **Thread:** any. `body` runs once, on `context`, after the callbacks registered before it; it is
    /// released as soon as it has returned.
    /// - Returns: This future.
    /// - Complexity: O(1), one allocation beside the closure's own.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onComplete(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        let callback = AnyFuture(at: Home.of(context))
        callback.ref.keep(callback: body)
        callback.cell.step = { callback, source in
            let body = callback.takenCallback(Outcome.self)
            if let source {
                body.run(source.outcome(Outcome.self).pointee)
            }
        }
        register(callback)
        return self
    }

    /// Calls `body` with the value when there is one. See ``onComplete(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onSuccess(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Value) -> Void
    ) -> Self {
        onComplete(on: context) { if case .success(let value) = $0 { body(value) } }
    }

    /// Calls `body` with the error when there is one. See ``onComplete(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onFailure(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Failure) -> Void
    ) -> Self {
        onComplete(on: context) { if case .failure(let error) = $0 { body(error) } }
    }

    /// The future with the same result that completes when `body` has seen it: side effects in a row,
    /// in an order that is certain.
    @inlinable
    @preconcurrency
    public func andThen(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Future {
        mapResult(on: context) {
            body($0)
            return $0
        }
    }
}

extension Future {
    /// Calls `body` when this future is over, in the thread that completes, whatever other callbacks
    /// do: for what is no user's closure, and may not care any more by then.
    ///
    /// - Returns: What takes the callback away again.
    func whenOver(_ body: @escaping @Sendable (Ending<Value, Failure>) -> Void) -> Visit {
        let visit = futureVisit()
        begin(visit, body)
        return visit
    }

    /// A visit that has yet to ``begin(_:_:)``: ended before that, it begins all the same.
    func futureVisit() -> Visit {
        Visit { _ = $0.takenCallback(Ending<Value, Failure>.self) }
    }

    /// As ``whenOver(_:)``, for a visit that ``futureVisit()`` has made.
    func begin(_ visit: Visit, _ body: @escaping @Sendable (Ending<Value, Failure>) -> Void) {
        let callback = visit.visitor
        callback.ref.keep(callback: body)
        callback.cell.step = { callback, source in
            let body = callback.takenCallback(Ending<Value, Failure>.self)
            if let source {
                body.run(.result(source.outcome(Outcome.self).pointee))
            } else {
                body.run(.never(callback.cause))
            }
        }
        receive(callback)
    }
}

/// A callback that may leave before it runs.
struct Visit: Sendable {
    let visitor = AnyFuture()
    private let release: @Sendable (FutureRef) -> Void

    /// - Parameter release: Releases what the callback keeps.
    init(release: @escaping @Sendable (FutureRef) -> Void) {
        self.release = release
    }

    /// Ends the visit: the callback does not run, unless it has begun to, and keeps nothing.
    func end() {
        if visitor.leave() {
            withExtendedLifetime(visitor) { release(visitor.ref) }
        }
    }
}

/// The visits of those that race for one result: when it is there, all of them end.
///
/// Each of them holds this, and this holds them, until then.
final class Visits: Sendable {
    /// `nil`: the race is over.
    private let visits = Lock<[Visit]?>([])

    /// Adds a visit, which ends at once if the race is over.
    func add(_ visit: Visit) {
        let isOver = visits.withLock { visits in
            visits?.append(visit)
            return visits == nil
        }
        if isOver {
            visit.end()
        }
    }

    /// The race is over.
    func end() {
        let ended = visits.withLock { visits in
            defer { visits = nil }
            return visits
        }
        ended?.forEach { $0.end() }
    }
}

/// How a future ends.
enum Ending<Value, Failure: Error> {
    /// It has a result.
    case result(Result<Value, Failure>)
    /// It will never have one.
    case never(AbandonmentCause)
}
