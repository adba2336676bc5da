// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// Calls `body` with the result, once there is one.
    ///
    /// **Thread:** any. `body` runs once, on `context`, after the callbacks registered before it
    /// there, while no other callback of this future runs, and is released when it has returned.
    /// - Returns: This future.
    /// - Complexity: O(1). One allocation next to the closure's own, and one more for a context that
    ///   is neither a loop nor `.immediate`.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onComplete(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        let callback = Callback(at: CallbackContext.of(context))
        callback.pointer.keep(Effect(body))
        callback.cell.step = { callback, source in
            let body = callback.take(Effect<Outcome>.self)
            if let source {
                (consume body).run(source.outcome(Outcome.self).pointee)
            }
        }
        register(callback, needsLane: true)
        return self
    }

    /// Calls `body` on `context` with the value, if there is one. See ``onComplete(on:_:)``.
    /// - Returns: This future.
    /// - Complexity: As ``onComplete(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onSuccess(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Value) -> Void
    ) -> Self {
        onComplete(on: context) { if case .success(let value) = $0 { body(value) } }
    }

    /// Calls `body` on `context` with the error, if there is one. See ``onComplete(on:_:)``.
    /// - Returns: This future.
    /// - Complexity: As ``onComplete(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onFailure(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Failure) -> Void
    ) -> Self {
        onComplete(on: context) { if case .failure(let error) = $0 { body(error) } }
    }

    /// Calls `body` on `context` with the result, and then passes it on: for side effects in a fixed
    /// order.
    /// - Returns: The future with the same result, which completes after `body` has returned.
    /// - Complexity: As ``map(on:_:)``.
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
