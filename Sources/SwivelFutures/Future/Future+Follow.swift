// SPDX-License-Identifier: Apache-2.0

extension Future {
    /// Completes as `other` does. The caller has the right to complete this future, which is
    /// registered nowhere.
    @inlinable
    func follow(_ other: Future) {
        pointer.follow(other)
        extendLifetime(self)
    }

    /// The future that `next` completes, given this one's result: at once, or by making it follow
    /// another.
    ///
    /// - Parameter context: Where `next` runs.
    @inlinable
    func chained<U: Sendable, E: Error>(
        at context: CallbackContext = .direct,
        _ next: @escaping @Sendable (Outcome, Future<U, E>) -> Void
    ) -> Future<U, E> {
        let future = Future<U, E>(at: context)
        future.pointer.keep(Completion(next))
        future.cell.step = { future, source in
            let next = future.take(Completion<Outcome, U, E>.self)
            guard let source else { return Future<U, E>.neverRan(future) }
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
            guard let source else { return Future<V, E>.neverRan(future) }
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
