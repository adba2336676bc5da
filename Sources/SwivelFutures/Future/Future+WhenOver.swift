// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// How a future ends.
enum Ending<Value, Failure: Error> {
    /// It has a result.
    case result(Result<Value, Failure>)
    /// It will never have one.
    case never(SwivelError)
}

extension Future {
    /// Calls `body` when this future is over, in the thread that completes, outside the lane.
    /// Returns `callback`, which can be removed; if it was removed before, it is registered all the
    /// same.
    @discardableResult
    func whenOver(
        _ callback: Callback = Callback(at: .direct),
        _ body: @escaping @Sendable (Ending<Value, Failure>) -> Void
    ) -> Callback {
        callback.pointer.keep(Effect(body))
        callback.cell.step = { callback, source in
            let body = callback.take(Effect<Ending<Value, Failure>>.self)
            if source == callback { return }
            if let source {
                body.run(.result(source.outcome(Outcome.self).pointee))
            } else {
                body.run(.never(callback.cause))
            }
        }
        pointer.register(removable: callback)
        extendLifetime(self)
        return callback
    }

    /// As ``whenOver(_:_:)``, for the result. Releases `body` if there will never be one.
    package func whenCompleted(
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Callback {
        whenOver { if case .result(let result) = $0 { body(result) } }
    }
}

/// The callbacks that race for one result: when it is there, all of them are removed. Until then
/// each holds this, and this holds each.
final class Race: Sendable {
    /// `nil`: the race is over.
    private let callbacks = Lock<[Callback]?>([])

    /// Adds a callback, which is removed at once if the race is over.
    func add(_ callback: Callback) {
        let isOver = callbacks.withLock { callbacks in
            callbacks?.append(callback)
            return callbacks == nil
        }
        if isOver { callback.remove() }
    }

    /// The callback will never complete anything.
    func remove(_ callback: Callback) {
        callbacks.withLock { $0?.removeAll { $0 === callback } }
    }

    /// The needs of a future that the first callback completes.
    var needs: [FutureNeed] {
        let callbacks = callbacks.withLock { $0 } ?? []
        return callbacks.count > 1 ? [.oneOf(callbacks)] : callbacks.map { .callback($0) }
    }

    /// The race is over.
    func end() {
        let removed = callbacks.withLock { callbacks in
            defer { callbacks = nil }
            return callbacks
        }
        removed?.forEach { $0.remove() }
    }
}
