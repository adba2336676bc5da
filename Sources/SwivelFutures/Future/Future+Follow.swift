// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Future {
    /// Completes as `other` does, when it does. The right to complete is the caller's, and this future
    /// is registered nowhere.
    @inlinable
    func follow(_ other: Future) {
        follow(other) { $0 }
    }

    /// Completes with what `pass` makes of `other`'s result.
    @inlinable
    func follow<V, E>(
        _ other: Future<V, E>,
        _ pass: @escaping @Sendable (Result<V, E>) -> Result<Value, Failure>
    ) {
        keep(pass)
        becomeDirect()
        step = { child, source in
            let pass = child.taken(Result<V, E>.self, Result<Value, Failure>.self)
            let child = unsafeDowncast(child, to: Future.self)
            guard let source else { return child.neverRan() }
            child.resolve(pass.run(unsafeDowncast(source, to: Future<V, E>.self).outcome.pointee))
        }
        other.register(self)
    }

    /// The future that `next` completes, given this one's result: at once, or by having it follow.
    ///
    /// - Parameter context: `nil`: in the thread that completes, whatever other callbacks do.
    @inlinable
    func chained<U: Sendable, E: Error>(
        on context: (any ExecutionContext)? = nil,
        _ next: @escaping @Sendable (Outcome, Future<U, E>) -> Void
    ) -> Future<U, E> {
        let child = context.map { Future<U, E>(on: $0) } ?? Future<U, E>()
        child.place.initializeMemory(as: Link<Outcome, U, E>.self, to: Link(next))
        child.step = { child, source in
            let link = child.place.assumingMemoryBound(to: Link<Outcome, U, E>.self).move()
            let child = unsafeDowncast(child, to: Future<U, E>.self)
            guard let source else { return child.neverRan() }
            link.run(unsafeDowncast(source, to: Future.self).outcome.pointee, child)
        }
        register(child)
        return child
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
