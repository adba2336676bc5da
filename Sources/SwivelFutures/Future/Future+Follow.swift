// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Future {
    /// Completes as `other` does, when it does. The right to complete is the caller's, and this future
    /// is registered nowhere.
    @inlinable
    func follow(_ other: Future) {
        withExtendedLifetime(self) { ref.follow(other) }
    }

    /// Completes with what `pass` makes of `other`'s result.
    @inlinable
    func follow<V, E>(_ other: Future<V, E>, _ pass: @escaping @Sendable (Result<V, E>) -> Outcome)
    {
        ref.becomeDirect()
        ref.keep(pass)
        cell.step = { future, source in
            guard future.arrives() else { return }
            let pass = future.taken(Result<V, E>.self, Outcome.self)
            guard let source else { return Future.neverRan(future) }
            future.resolve(pass.run(source.outcome(Result<V, E>.self).pointee))
        }
        withExtendedLifetime(self) { other.lead(ref) }
    }

    /// The future that `next` completes, given this one's result: at once, or by having it follow.
    ///
    /// - Parameter context: `nil`: in the thread that completes, whatever other callbacks do.
    @inlinable
    func chained<U: Sendable, E: Error>(
        on context: (any ExecutionContext)? = nil,
        _ next: @escaping @Sendable (Outcome, Future<U, E>) -> Void
    ) -> Future<U, E> {
        chained(at: context.map { Home.of($0) } ?? .direct, next)
    }

    /// As ``chained(on:_:)``.
    @inlinable
    func chained<U: Sendable, E: Error>(
        at home: Home, _ next: @escaping @Sendable (Outcome, Future<U, E>) -> Void
    ) -> Future<U, E> {
        let future = Future<U, E>(at: home)
        future.ref.place.initializeMemory(as: Link<Outcome, U, E>.self, to: Link(next))
        future.cell.step = { future, source in
            let link = future.place.assumingMemoryBound(to: Link<Outcome, U, E>.self).move()
            guard let source else { return Future<U, E>.neverRan(future) }
            let object = unsafeDowncast(future.object.takeUnretainedValue(), to: Future<U, E>.self)
            link.run(source.outcome(Outcome.self).pointee, object)
        }
        register(future)
        return future
    }
}

extension FutureRef {
    /// See ``Future/follow(_:)``.
    @inlinable
    func follow<V, E>(_ other: Future<V, E>) {
        becomeDirect()
        cell.pointee.step = { future, source in
            guard future.arrives() else { return }
            guard let source else { return Future<V, E>.neverRan(future) }
            future.resolve(source.outcome(Result<V, E>.self).pointee)
        }
        other.lead(self)
    }

    /// The callback runs at once from here on, whatever others do: it is no user's closure.
    @usableFromInline
    func becomeDirect() {
        cell.pointee.move(to: .direct)
    }
}

/// A closure that completes a future, as the two words that lie in that future.
@frozen @usableFromInline
struct Link<Outcome, Value: Sendable, Failure: Error> {
    @usableFromInline let run: @Sendable (Outcome, Future<Value, Failure>) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (Outcome, Future<Value, Failure>) -> Void) {
        self.run = run
    }
}
