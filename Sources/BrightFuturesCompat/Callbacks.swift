// SPDX-License-Identifier: Apache-2.0
public import Swivel

// BrightFutures' labels of callbacks. The forms without a context, and those with a trailing
// closure, are Swivel's own.
extension Future {
    /// The type of `onComplete`'s callback.
    @available(*, deprecated, message: "write the function's type")
    public typealias CompletionCallback = @Sendable (_ result: Result<Value, Failure>) -> Void

    /// The type of `onSuccess`'s callback.
    @available(*, deprecated, message: "write the function's type")
    public typealias SuccessCallback = @Sendable (Value) -> Void

    /// The type of `onFailure`'s callback.
    @available(*, deprecated, message: "write the function's type")
    public typealias FailureCallback = @Sendable (Failure) -> Void

    /// See `Future.onComplete(on:_:)`.
    @available(*, deprecated, renamed: "onComplete(on:_:)")
    @_disfavoredOverload @preconcurrency @discardableResult
    public func onComplete(
        _ context: any ExecutionContext = defaultContext(),
        callback: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        onComplete(on: context, callback)
    }

    /// See `Future.onSuccess(on:_:)`.
    @available(*, deprecated, renamed: "onSuccess(on:_:)")
    @_disfavoredOverload @preconcurrency @discardableResult
    public func onSuccess(
        _ context: any ExecutionContext = defaultContext(),
        callback: @escaping @Sendable (Value) -> Void
    ) -> Self {
        onSuccess(on: context, callback)
    }

    /// See `Future.onFailure(on:_:)`.
    @available(*, deprecated, renamed: "onFailure(on:_:)")
    @_disfavoredOverload @preconcurrency @discardableResult
    public func onFailure(
        _ context: any ExecutionContext = defaultContext(),
        callback: @escaping @Sendable (Failure) -> Void
    ) -> Self {
        onFailure(on: context, callback)
    }

    /// See `Future.andThen(on:_:)`.
    @available(*, deprecated, renamed: "andThen(on:_:)")
    @_disfavoredOverload @preconcurrency @discardableResult
    public func andThen(
        context: any ExecutionContext = defaultContext(),
        callback: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Future {
        andThen(on: context, callback)
    }
}
