// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// Calls `body` with the result, once there is one.
    ///
    /// **Thread:** any. `body` runs once, on `context`, after the callbacks registered before it,
    /// and is released when it has returned.
    /// - Returns: This future.
    /// - Complexity: O(1). One allocation beside the closure's own, and one more for a context that
    ///   is neither a loop nor `.immediate`.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onComplete(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        let callback = Callback(at: CallbackContext.of(context))
        callback.pointer.keep(callback: body)
        callback.cell.step = { callback, source in
            let body = callback.takenCallback(Outcome.self)
            if let source {
                (consume body).run(source.outcome(Outcome.self).pointee)
            }
        }
        register(callback)
        return self
    }

    /// Calls `body` with the value, if there is one. See ``onComplete(on:_:)``.
    ///
    /// **Thread:** any. `body` runs on `context`.
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

    /// Calls `body` with the error, if there is one. See ``onComplete(on:_:)``.
    ///
    /// **Thread:** any. `body` runs on `context`.
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

    /// Calls `body` with the result, and then passes it on: for side effects in a fixed order.
    ///
    /// **Thread:** any. `body` runs on `context`.
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

extension Future {
    /// Calls `body` when this future is over, in the thread that completes, outside the lane: for
    /// the library's own callbacks.
    ///
    /// - Parameter callback: What calls `body`. It can be removed; if that has been tried before
    ///   this call, it is registered all the same.
    /// - Returns: The callback.
    @discardableResult
    func whenOver(
        _ callback: Callback = Callback(at: .direct),
        _ body: @escaping @Sendable (Ending<Value, Failure>) -> Void
    ) -> Callback {
        callback.pointer.keep(callback: body)
        callback.cell.step = { callback, source in
            let body = callback.takenCallback(Ending<Value, Failure>.self)
            if source == callback { return }
            if let source {
                body.run(.result(source.outcome(Outcome.self).pointee))
            } else {
                body.run(.never(callback.cause))
            }
        }
        pointer.register(removable: callback)
        extendLifetime(self)
        return callback
    }
}

extension Future {
    /// Calls `body` with the result, in the thread that completes, unless the callback is removed
    /// before. Releases `body` if there will never be one.
    package func whenCompleted(
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Registration {
        Registration(
            callback: whenOver {
                if case .result(let result) = $0 { body(result) }
            })
    }
}

/// A callback that waits for a future, and can be removed. It keeps the callback alone.
package struct Registration: Sendable {
    let callback: Callback

    /// Removes the callback, unless it has run. It leaves nothing in the future.
    ///
    /// **Thread:** any.
    package func remove() { callback.remove() }

    /// The need of everything that waits for the callback.
    package var need: FutureNeed { .callback(callback) }
}

/// How a future ends.
enum Ending<Value, Failure: Error> {
    /// It has a result.
    case result(Result<Value, Failure>)
    /// It will never have one.
    case never(SwivelError)
}
