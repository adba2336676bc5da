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

/// How a future ends.
enum Ending<Value, Failure: Error> {
    /// It has a result.
    case result(Result<Value, Failure>)
    /// It will never have one.
    case never(AbandonmentCause)
}
