// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

/// Keeps callbacks from running once their purpose is gone. Invalidating cancels no work: it drops
/// callbacks that have not started, and futures that derive from them are abandoned.
///
/// **Thread:** any.
public final class InvalidationToken: Sendable {
    /// Fails with ``FutureError/invalidated`` when the token is invalidated.
    public let future = Future<Never, FutureError<Never>>()

    /// A valid token.
    /// - Complexity: O(1), two allocations.
    public init() {}

    /// Whether ``invalidate()`` was called.
    /// - Complexity: O(1).
    public var isInvalid: Bool { future.isCompleted }

    /// Invalidates the token. A second call does nothing. If this is called on the serial context
    /// on which callbacks of the token run, none starts after the call.
    /// - Complexity: O(n) in the futures that the token guards.
    public func invalidate() {
        future.resolveOnce(.failure(.invalidated))
        // The caller that invalidates a token has observed it.
        _ = future.result
    }

    /// Returns a context that runs work on `parent` while the token is valid, and then drops it.
    /// The token is checked when work is submitted, and on `parent` when it starts. Once it is
    /// invalid, the context is current nowhere, and the thread that submits work releases it.
    /// - Complexity: O(1); work costs one allocation more than on `parent`.
    public func context(
        _ parent: any ExecutionContext = defaultContext()
    ) -> some ExecutionContext {
        GuardedContext(token: self, parent: parent)
    }

    /// Ties `future`, which itself stays pending, to the token. Returns the future with that
    /// result, which fails with ``FutureError/invalidated`` if the token is invalidated first.
    /// - Complexity: O(1). The first of the two leaves nothing in the other.
    public func guarding<V, E>(_ future: Future<V, E>) -> Future<V, FutureError<E>> {
        let race = Race()
        let guarded = Future<V, FutureError<E>>(needing: { race.needs })
        let completer = Completer(guarded)
        let invalidation = Callback(at: .direct)
        race.add(
            self.future.whenOver(invalidation) {
                // The token was released.
                guard case .result = $0 else { return race.remove(invalidation) }
                race.end()
                completer.complete(.failure(.invalidated))
            })
        race.add(
            future.whenOver {
                race.end()
                completer.follow($0)
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
        // A wait on the parent for work that will never run ends at once.
        if token.isInvalid { return }
        parent.execute { [token] in
            if !token.isInvalid { work() }
        }
    }

    var isCurrent: Bool { !token.isInvalid && parent.isCurrent }
}
