// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

/// Keeps callbacks from running once what they are for is gone.
///
/// Invalidating does not cancel work; it drops callbacks that have not started, and the futures that
/// derive from them count as abandoned.
public final class InvalidationToken: Sendable {
    /// Fails with ``FutureError/invalidated`` when the token is invalidated.
    public let future = Future<Never, FutureError<Never>>()

    /// A valid token.
    public init() {}

    /// Whether ``invalidate()`` was called.
    public var isInvalid: Bool { future.isCompleted }

    /// Invalidates the token. A second call does nothing.
    ///
    /// **Thread:** any. On a serial context that callbacks of the token run on, none starts after this
    /// call.
    public func invalidate() {
        if future.claim() {
            future.resolve(.failure(.invalidated))
        }
    }

    /// Runs work on `parent` while the token is valid: it is checked there, when the work starts.
    public func context(
        _ parent: any ExecutionContext = defaultContext()
    ) -> some ExecutionContext {
        GuardedContext(token: self, parent: parent)
    }

    /// The same future, which fails with ``FutureError/invalidated`` if the token is invalidated
    /// first.
    public func guarding<V, E>(_ future: Future<V, E>) -> Future<V, FutureError<E>> {
        let guarded = Future<V, FutureError<E>>()
        let pledge = Pledge(guarded)
        let visits = Visits()
        visits.add(
            self.future.whenOver {
                guard case .result = $0 else { return }
                visits.end()
                pledge.complete(.failure(.invalidated))
            })
        visits.add(
            future.whenOver {
                visits.end()
                pledge.follow($0)
            })
        return guarded
    }
}

/// A context that drops work once the token is invalid.
private struct GuardedContext: ContextWrapper {
    let token: InvalidationToken
    let parent: any ExecutionContext

    var wrapped: (any ExecutionContext)? { parent }

    func execute(_ work: @escaping @Sendable () -> Void) {
        parent.execute { [token] in
            if !token.isInvalid { work() }
        }
    }

    var isCurrent: Bool { parent.isCurrent }
}
