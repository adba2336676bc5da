// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A callback that can be removed before its future is over.
struct RemovableCallback: Sendable {
    let callback = Callback(at: .direct)
    private let release: @Sendable (FuturePointer) -> Void

    /// - Parameter release: Releases what the callback keeps.
    init(release: @escaping @Sendable (FuturePointer) -> Void) {
        self.release = release
    }

    /// Removes the callback: it does not run, unless it has begun to, and keeps nothing.
    ///
    /// **Thread:** any; a second call does nothing.
    func remove() {
        withExtendedLifetime(callback) {
            if callback.pointer.unregister() { release(callback.pointer) }
        }
    }
}

/// The callbacks that race for one result: when it is there, all of them are removed.
///
/// Each of them holds this, and this holds them, until then.
final class Race: Sendable {
    /// `nil`: the race is over.
    private let callbacks = Lock<[RemovableCallback]?>([])

    /// Adds a callback, which is removed at once if the race is over.
    func add(_ callback: RemovableCallback) {
        let isOver = callbacks.withLock { callbacks in
            callbacks?.append(callback)
            return callbacks == nil
        }
        if isOver {
            callback.remove()
        }
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
