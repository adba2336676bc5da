// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// The callbacks of a future that can be removed before it is over: those that have lost a race,
// against a time limit, another future, or the cancellation of a task. None is a user's closure.
//
// They lie in a doubly linked list of their own, guarded by one of 64 locks. A flag of the future's
// state shows the completer that there is one. The atomics need no order: all that change the list
// hold its lock. A source is given up by the first step of `SourceTrace`.
extension FuturePointer {
    private static let removableLocks = (0..<64).map { _ in Lock<Void>.ofProcess { _ in } }

    /// Runs `body` under the lock of this future, which need not exist any more.
    private func locked<R>(_ body: () -> R) -> R {
        Self.removableLocks[hash].withLock { _ in body() }
    }

    /// As ``register(_:needsLane:)``, for a direct callback that ``unregister()`` may remove.
    func register(removable object: Callback) {
        let callback = FuturePointer(Unmanaged.passRetained(object))
        let isRegistered = locked {
            // Under the lock: the completer that sees the flag finds this callback in the list.
            guard raise(FutureState.hasRemovable) else { return false }
            let next = FuturePointer(bits: cell.pointee.removable.load(ordering: .relaxed))
            callback.cell.pointee.next = next
            callback.cell.pointee.previous = nil
            next?.cell.pointee.previous = callback
            cell.pointee.removable.store(callback.bits, ordering: .relaxed)
            callback.cell.pointee.source.store(bits, ordering: .relaxed)
            return true
        }
        if !isRegistered { register(callback) }
    }

    /// Removes this callback from the future with which it is registered. Its contents are then the
    /// caller's. **Thread:** any that keeps the callback. The other future may be over, or gone.
    /// - Returns: False: it has run, or is about to, or was removed before.
    func unregister() -> Bool {
        // Selects only the lock to take: the future at this address may be gone.
        let word = cell.pointee.source.load(ordering: .relaxed)
        guard word & Self.taken == 0, let host = FuturePointer(bits: word) else { return false }
        let isRemoved = host.locked {
            // Under the lock: as long as the callback is in the list, the future exists.
            guard cell.pointee.source.load(ordering: .relaxed) == word else { return false }
            cell.pointee.source.store(0, ordering: .sequentiallyConsistent)
            let (next, previous) = (cell.pointee.next, cell.pointee.previous)
            next?.cell.pointee.previous = previous
            if let previous {
                previous.cell.pointee.next = next
            } else {
                host.cell.pointee.removable.store(next?.bits ?? 0, ordering: .relaxed)
            }
            (cell.pointee.next, cell.pointee.previous) = (nil, nil)
            return true
        }
        if isRemoved { release() }
        return isRemoved
    }

    /// A flag of the source word: the callback can no longer be removed, and is on its way.
    private static let taken: UInt = 8

    /// The callback runs next. It may outlive its source, so that no trace may find that any more.
    @inline(__always)
    func forgetTaken() {
        // Relaxed: the callback's thread alone has changed the word since it was taken.
        if cell.pointee.source.load(ordering: .relaxed) & Self.taken != 0 {
            cell.pointee.source.store(0, ordering: .sequentiallyConsistent)
        }
    }

    /// Takes all removable callbacks, which stay from here on, and puts them before a list of
    /// callbacks, in registration order. **Thread:** the thread that has completed the future, or
    /// releases it.
    func takeRemovable(before callbacks: FuturePointer?) -> FuturePointer? {
        locked {
            var first = callbacks
            var node = FuturePointer(bits: cell.pointee.removable.load(ordering: .relaxed))
            cell.pointee.removable.store(0, ordering: .relaxed)
            while let callback = node {
                node = callback.cell.pointee.next
                callback.cell.pointee.source.store(
                    bits | Self.taken, ordering: .sequentiallyConsistent)
                callback.cell.pointee.previous = nil
                callback.cell.pointee.next = first
                first = callback
            }
            return first
        }
    }
}
