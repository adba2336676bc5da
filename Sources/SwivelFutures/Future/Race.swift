// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// The callbacks that race for one result: when it is there, all of them are removed.
///
/// Each of them holds this, and this holds them, until then.
final class Race: Sendable {
    /// `nil`: the race is over.
    private let callbacks = Lock<[Callback]?>([])

    /// Adds a callback, which is removed at once if the race is over.
    func add(_ callback: Callback) {
        let isOver = callbacks.withLock { callbacks in
            callbacks?.append(callback)
            return callbacks == nil
        }
        if isOver {
            callback.remove()
        }
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
