// SPDX-License-Identifier: Apache-2.0
public import Swivel

// BrightFutures' labels of functions that make one future from another.
extension Future {
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
    /// The same future, with the error type of another search.
    ///
    /// **Thread:** any. The error is converted in the thread that completes.
    /// - Returns: The future with the same value, or the same error in the other type.
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
    /// BrightFutures' name for `Swift.Sequence.traverse(_:)`.
    ///
    /// **Thread:** any. `f` runs inside this call, for every element.
    /// - Parameters:
    ///   - context: Ignored: it would run none of your code.
    ///   - f: Makes a future of each element.
    /// - Returns: The future of all values, in order.
    /// - Complexity: As `Swift.Sequence.traverse(_:)`.
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
