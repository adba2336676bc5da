// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// Transforms the value. An error is passed on, and `transform` is released without a call.
    ///
    /// **Thread:** any. `transform` runs on `context`.
    /// - Returns: The future of the value that `transform` returns.
    /// - Complexity: O(1). One allocation next to the closure's own, and one more for a context
    ///   that is neither a loop nor `.immediate`; running there takes what a post takes.
    @inlinable
    @preconcurrency
    public func map<U: Sendable>(
        on context: any ExecutionContext = defaultContext(),
        _ transform: consuming @escaping @Sendable (Value) -> U
    ) -> Future<U, Failure> {
        let future = Future<U, Failure>(at: .of(context))
        future.pointer.keep(Transform(transform))
        future.cell.step = { future, source in
            let transform = future.take(Transform<Value, U>.self)
            guard let source else { return Future<U, Failure>.end(future) }
            let made = source.outcome(Outcome.self).pointee.map((consume transform).run)
            future.resolve(made)
        }
        register(future)
        return future
    }

    /// Continues the value with another future, which `transform` returns on `context`.
    /// - Returns: The future with the other future's result, or with this one's error.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func flatMap<U: Sendable>(
        on context: any ExecutionContext = defaultContext(),
        _ transform: @escaping @Sendable (Value) -> Future<U, Failure>
    ) -> Future<U, Failure> {
        let future = Future<U, Failure>(at: .of(context))
        future.pointer.keep(Transform(transform))
        future.cell.step = { future, source in
            let transform = future.take(Transform<Value, Future<U, Failure>>.self)
            guard let source else { return Future<U, Failure>.end(future) }
            switch source.outcome(Outcome.self).pointee {
            case .success(let value): future.follow((consume transform).run(value))
            case .failure(let error): future.resolve(Result<U, Failure>.failure(error))
            }
        }
        register(future)
        return future
    }

    /// Turns the value into a result, which `transform` returns on `context`.
    /// - Returns: The future of that result, or of this one's error.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func flatMap<U: Sendable>(
        on context: any ExecutionContext = defaultContext(),
        _ transform: @escaping @Sendable (Value) -> Result<U, Failure>
    ) -> Future<U, Failure> {
        mapResult(on: context) { $0.flatMap(transform) }
    }

    /// Transforms the error by `transform`, which runs on `context`. A value is passed on.
    /// - Returns: The future with the error that `transform` returns.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func mapError<E: Error>(
        on context: any ExecutionContext = defaultContext(),
        _ transform: @escaping @Sendable (Failure) -> E
    ) -> Future<Value, E> {
        mapResult(on: context) { $0.mapError(transform) }
    }

    /// Replaces an error by a value, which `body` returns on `context`.
    /// - Returns: The future of this one's value, or of the value that `body` returns.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func recover(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Failure) -> Value
    ) -> Future<Value, Never> {
        mapResult(on: context) {
            switch $0 {
            case .success(let value): .success(value)
            case .failure(let error): .success(body(error))
            }
        }
    }

    /// Replaces an error by the result of another future, which `body` returns on `context`.
    /// - Returns: The future of this one's value, or of the other future's result.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func recover<E: Error>(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Failure) -> Future<Value, E>
    ) -> Future<Value, E> {
        chained(at: .of(context)) { result, child in
            switch result {
            case .success(let value): child.resolve(.success(value))
            case .failure(let error): child.follow(body(error))
            }
        }
    }

    /// Transforms the result.
    @inlinable
    func mapResult<U: Sendable, E: Error>(
        on context: any ExecutionContext,
        _ transform: @escaping @Sendable (Outcome) -> Result<U, E>
    ) -> Future<U, E> {
        let future = Future<U, E>(at: .of(context))
        future.pointer.keep(Transform(transform))
        future.cell.step = { future, source in
            let transform = future.take(Transform<Outcome, Result<U, E>>.self)
            guard let source else { return Future<U, E>.end(future) }
            future.resolve((consume transform).run(source.outcome(Outcome.self).pointee))
        }
        register(future)
        return future
    }
}

extension Future {
    /// Completes as `other` does. The caller has the right to complete this unregistered future.
    @inlinable
    func follow(_ other: Future) {
        pointer.follow(other)
        extendLifetime(self)
    }

    /// The future that `next`, on `context`, completes when it gets this one's result: at once, or
    /// by making it follow another.
    @inlinable
    func chained<U: Sendable, E: Error>(
        at context: CallbackContext = .direct,
        _ next: @escaping @Sendable (Outcome, Future<U, E>) -> Void
    ) -> Future<U, E> {
        let future = Future<U, E>(at: context)
        future.pointer.keep(Completion(next))
        future.cell.step = { future, source in
            let next = future.take(Completion<Outcome, U, E>.self)
            guard let source else { return Future<U, E>.end(future) }
            let object = unsafeDowncast(future.object.takeUnretainedValue(), to: Future<U, E>.self)
            next.run(source.outcome(Outcome.self).pointee, object)
        }
        register(future)
        return future
    }
}

extension FuturePointer {
    /// See ``Future/follow(_:)``.
    @inlinable
    func follow<V, E>(_ other: Future<V, E>) {
        cell.pointee.leaveContext()
        cell.pointee.step = { future, source in
            guard future.mayRunStep() else { return }
            guard let source else { return Future<V, E>.end(future) }
            future.resolve(source.outcome(Result<V, E>.self).pointee)
        }
        other.pointer.lead(self)
        extendLifetime(other)
    }
}

/// As ``Transform``, for a closure that completes a future, which it is given.
@frozen @usableFromInline
struct Completion<Outcome, Value: Sendable, Failure: Error> {
    @usableFromInline let run: @Sendable (Outcome, Future<Value, Failure>) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (Outcome, Future<Value, Failure>) -> Void) {
        self.run = run
    }
}
