// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Future {
    /// The future of the value if `isIncluded` accepts it, else of ``FutureError/noSuchElement``.
    ///
    /// **Thread:** any. `isIncluded` runs on `context`.
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

    /// The future of both values. This future's error precedes the other's.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @inlinable
    public func zip<U: Sendable>(_ other: Future<U, Failure>) -> Future<(Value, U), Failure> {
        chained { result, pair in
            switch result {
            case .success(let value): pair.follow(other) { $0.map { (value, $0) } }
            case .failure(let error): pair.resolve(.failure(error))
            }
        }
    }

    /// The future that completes after this one, without its value.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @inlinable
    public func asVoid() -> Future<Void, Failure> {
        chained { $1.resolve($0.map { _ in }) }
    }

    /// The future that completes as the one inside this one.
    ///
    /// **Thread:** any.
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
    /// The same future as one that could fail, for use beside others that can.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @inlinable
    public func promoteError<E: Error>(to type: E.Type = E.self) -> Future<Value, E> {
        chained { result, child in
            if case .success(let value) = result { child.resolve(.success(value)) }
        }
    }
}

extension Future where Value == Never {
    /// The same future as one that could succeed, for use beside others that can.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @inlinable
    public func promoteValue<V: Sendable>(to type: V.Type = V.self) -> Future<V, Failure> {
        chained { result, child in
            if case .failure(let error) = result { child.resolve(.failure(error)) }
        }
    }
}

/// The future of `lhs`'s value, or of a default if it fails. The default is evaluated on failure
/// only, in the thread that completes.
///
/// **Thread:** any.
/// - Complexity: As ``Future/map(on:_:)``.
@inlinable
@preconcurrency
public func ?? <V, E>(
    lhs: Future<V, E>, rhs: @autoclosure @escaping @Sendable () -> V
) -> Future<V, Never> {
    lhs.recover(on: .immediate) { _ in rhs() }
}

/// The future that completes as `lhs`, or as another one if that fails. The other is evaluated on
/// failure only, in the thread that completes.
///
/// **Thread:** any.
/// - Complexity: As ``Future/map(on:_:)``.
@inlinable
@preconcurrency
public func ?? <V, E, E1>(
    lhs: Future<V, E>, rhs: @autoclosure @escaping @Sendable () -> Future<V, E1>
) -> Future<V, E1> {
    lhs.recover(on: .immediate) { _ in rhs() }
}
