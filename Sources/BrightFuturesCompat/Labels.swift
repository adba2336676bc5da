// SPDX-License-Identifier: Apache-2.0
public import Swivel
internal import SwivelCore

// BrightFutures' labels. The callbacks without a context, and those with a trailing closure, are
// Swivel's own.
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

    /// See `Future.map(on:_:)`.
    @available(*, deprecated, renamed: "map(on:_:)")
    @_disfavoredOverload @preconcurrency
    public func map<U: Sendable>(
        _ context: any ExecutionContext, f: @escaping @Sendable (Value) -> U
    ) -> Future<U, Failure> {
        map(on: context, f)
    }

    /// See `Future.flatMap(on:_:)`.
    @available(*, deprecated, renamed: "flatMap(on:_:)")
    @_disfavoredOverload @preconcurrency
    public func flatMap<U: Sendable>(
        _ context: any ExecutionContext, f: @escaping @Sendable (Value) -> Future<U, Failure>
    ) -> Future<U, Failure> {
        flatMap(on: context, f)
    }

    /// See `Future.flatMap(on:_:)`.
    @available(*, deprecated, renamed: "flatMap(on:_:)")
    @_disfavoredOverload @preconcurrency
    public func flatMap<U: Sendable>(
        _ context: any ExecutionContext, f: @escaping @Sendable (Value) -> Result<U, Failure>
    ) -> Future<U, Failure> {
        flatMap(on: context, f)
    }

    /// See `Future.mapError(on:_:)`.
    @available(*, deprecated, renamed: "mapError(on:_:)")
    @_disfavoredOverload @preconcurrency
    public func mapError<E: Error>(
        _ context: any ExecutionContext, f: @escaping @Sendable (Failure) -> E
    ) -> Future<Value, E> {
        mapError(on: context, f)
    }

    /// See `Future.recover(on:_:)`.
    @available(*, deprecated, renamed: "recover(on:_:)")
    @_disfavoredOverload @preconcurrency
    public func recover(
        context: any ExecutionContext = defaultContext(),
        task: @escaping @Sendable (Failure) -> Value
    ) -> Future<Value, Never> {
        recover(on: context, task)
    }

    /// See `Future.recover(on:_:)`.
    @available(*, deprecated, renamed: "recover(on:_:)")
    @preconcurrency
    public func recoverWith<E: Error>(
        context: any ExecutionContext = defaultContext(),
        task: @escaping @Sendable (Failure) -> Future<Value, E>
    ) -> Future<Value, E> {
        recover(on: context, task)
    }
}

extension Future {
    /// The same future under other types, which the value and the error must really have. A value
    /// or an error of another type stops the program, which names `file` and `line`.
    ///
    /// **Thread:** any. The casts run in the thread that completes.
    /// - Returns: A future that completes as this one does.
    /// - Complexity: O(1), two allocations.
    @available(*, deprecated, message: "use 'map(on: .immediate)' and 'mapError(on: .immediate)'")
    public func forceType<U: Sendable, E: Error>(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<U, E> {
        map(on: .immediate) { cast($0, to: U.self, file: file, line: line) }
            .mapError(on: .immediate) { cast($0, to: E.self, file: file, line: line) }
    }

    /// Returns the same future with the error type of another search.
    ///
    /// **Thread:** any. The error is converted in the thread that completes.
    /// - Complexity: As `Future.mapError(on:_:)`.
    @available(*, deprecated, message: "use 'mapError'")
    public func promoteError<E: Error>() -> Future<Value, FutureError<E>>
    where Failure == FutureError<Never> {
        mapError(on: .immediate) { error in
            switch error {
            case .noSuchElement: .noSuchElement
            case .invalidated: .invalidated
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .abandoned: .abandoned
            case .shutdown: .shutdown
            }
        }
    }
}

extension Sequence {
    // The context is ignored: it would run none of your code.
    /// See `Swift.Sequence.traverse(_:)`.
    @available(*, deprecated, message: "use 'traverse { }'")
    @_disfavoredOverload
    public func traverse<V, E>(
        _ context: any ExecutionContext = .background, f: (Element) -> Future<V, E>
    ) -> Future<[V], E> {
        traverse(f)
    }

    /// See `Swift.Sequence.fold(on:_:_:)`.
    @available(*, deprecated, renamed: "fold(on:_:_:)")
    @_disfavoredOverload @preconcurrency
    public func fold<R: Sendable, V, E>(
        _ context: any ExecutionContext, zero: R, f: @escaping @Sendable (R, V) -> R
    ) -> Future<R, E> where Element == Future<V, E> {
        fold(on: context, zero, f)
    }

    /// See `Swift.Sequence.fold(on:_:_:)`.
    @available(*, deprecated, renamed: "fold(_:_:)")
    @_disfavoredOverload @preconcurrency
    public func fold<R: Sendable, V, E>(
        _ zero: R, f: @escaping @Sendable (R, V) -> R
    ) -> Future<R, E> where Element == Future<V, E> {
        fold(on: .background, zero, f)
    }

    /// See `Swift.Sequence.find(on:_:)`.
    @available(*, deprecated, renamed: "find(on:_:)")
    @_disfavoredOverload @preconcurrency
    public func find<V, E>(
        _ context: any ExecutionContext, p: @escaping @Sendable (V) -> Bool
    ) -> Future<V, FutureError<E>> where Element == Future<V, E> {
        find(on: context, p)
    }
}

private func cast<From, To>(_ value: From, to _: To.Type, file: StaticString, line: UInt) -> To {
    guard let cast = value as? To else {
        trap(
            "forceType() to \(To.self) of a value that is a \(type(of: value as Any)): \(value)",
            file: file, line: line)
    }
    return cast
}
