// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Future {
    /// The value if `isIncluded` says so, else ``FutureError/noSuchElement``.
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

    /// Both values. This future's error counts before the other's.
    @inlinable
    public func zip<U: Sendable>(_ other: Future<U, Failure>) -> Future<(Value, U), Failure> {
        chained { result, pair in
            switch result {
            case .success(let value): pair.follow(other) { $0.map { (value, $0) } }
            case .failure(let error): pair.resolve(.failure(error))
            }
        }
    }

    /// The future that completes when this one has, without its value.
    @inlinable
    public func asVoid() -> Future<Void, Failure> {
        chained { $1.resolve($0.map { _ in }) }
    }

    /// The future inside this one.
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
    /// The same future as one that could fail, to be used beside others that can.
    @inlinable
    public func promoteError<E: Error>(to type: E.Type = E.self) -> Future<Value, E> {
        chained { result, child in
            if case .success(let value) = result { child.resolve(.success(value)) }
        }
    }
}

extension Future where Value == Never {
    /// The same future as one that could succeed, to be used beside others that can.
    @inlinable
    public func promoteValue<V: Sendable>(to type: V.Type = V.self) -> Future<V, Failure> {
        chained { result, child in
            if case .failure(let error) = result { child.resolve(.failure(error)) }
        }
    }
}

/// The value of `lhs`, or the default if it fails. The default is not evaluated on success.
@inlinable
@preconcurrency
public func ?? <V, E>(
    lhs: Future<V, E>, rhs: @autoclosure @escaping @Sendable () -> V
) -> Future<V, Never> {
    lhs.recover(on: .immediate) { _ in rhs() }
}

/// `lhs`, or the other future if it fails. The other is not evaluated on success.
@inlinable
@preconcurrency
public func ?? <V, E, E1>(
    lhs: Future<V, E>, rhs: @autoclosure @escaping @Sendable () -> Future<V, E1>
) -> Future<V, E1> {
    lhs.recover(on: .immediate) { _ in rhs() }
}
