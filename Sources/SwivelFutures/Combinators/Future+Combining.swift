// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Future {
    /// Keeps the value if `isIncluded`, on `context`, accepts it.
    /// - Returns: The future of the value. It fails with ``FutureError/noSuchElement`` if the value
    ///   is not accepted, and with ``FutureError/failed(_:)`` if this future fails.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func filter(
        on context: any ExecutionContext = .immediate,
        _ isIncluded: @escaping @Sendable (Value) -> Bool
    ) -> Future<Value, FutureError<Failure>> {
        mapResult(on: context) {
            switch $0 {
            case .success(let value):
                isIncluded(value) ? .success(value) : .failure(.noSuchElement)
            case .failure(let error): .failure(.failed(error))
            }
        }
    }

    /// Combines both values, `other`'s behind this one's. If both futures fail, this one's error
    /// counts.
    /// - Returns: The future of the pair.
    /// - Complexity: O(1).
    @inlinable
    public func zip<U: Sendable>(_ other: Future<U, Failure>) -> Future<(Value, U), Failure> {
        chained { result, pair in
            switch result {
            case .success(let value):
                pair.follow(other.chained { $1.resolve($0.map { (value, $0) }) })
            case .failure(let error): pair.resolve(.failure(error))
            }
        }
    }

    /// Drops the value. Returns the future that completes after this one, with its error.
    /// - Complexity: O(1).
    @inlinable
    public func asVoid() -> Future<Void, Failure> {
        chained { $1.resolve($0.map { _ in }) }
    }

    /// Unwraps a future of a future. Returns the future with the inner one's result, or an error of
    /// either.
    /// - Complexity: O(1).
    @inlinable
    public func flatten<V: Sendable>() -> Future<V, Failure> where Value == Future<V, Failure> {
        chained { result, child in
            switch result {
            case .success(let inner): child.follow(inner)
            case .failure(let error): child.resolve(.failure(error))
            }
        }
    }
}

extension Future where Failure == Never {
    /// Returns the future of the same value with the error type `type`, for use with those that can
    /// fail.
    /// - Complexity: O(1).
    @inlinable
    public func promoteError<E: Error>(to type: E.Type = E.self) -> Future<Value, E> {
        chained { result, child in
            if case .success(let value) = result { child.resolve(.success(value)) }
        }
    }
}

extension Future where Value == Never {
    /// Returns the future of the same error with the value type `type`, for use with those that
    /// succeed.
    /// - Complexity: O(1).
    @inlinable
    public func promoteValue<V: Sendable>(to type: V.Type = V.self) -> Future<V, Failure> {
        chained { result, child in
            if case .failure(let error) = result { child.resolve(.failure(error)) }
        }
    }
}

/// Replaces an error of `lhs` by the default `rhs`, and returns the future of the value.
///
/// **Thread:** any. `rhs` is evaluated on failure only, in the thread that completes.
/// - Complexity: As ``Future/map(on:_:)``.
@inlinable
@preconcurrency
public func ?? <V, E>(
    lhs: Future<V, E>, rhs: @autoclosure @escaping @Sendable () -> V
) -> Future<V, Never> {
    lhs.recover(on: .immediate) { _ in rhs() }
}

/// Returns the future of `lhs`'s value, or of the result of another future, `rhs`.
///
/// **Thread:** any. `rhs` is evaluated on failure only, in the thread that completes.
/// - Complexity: As ``Future/map(on:_:)``.
@inlinable
@preconcurrency
public func ?? <V, E, E1>(
    lhs: Future<V, E>, rhs: @autoclosure @escaping @Sendable () -> Future<V, E1>
) -> Future<V, E1> {
    lhs.recover(on: .immediate) { _ in rhs() }
}
