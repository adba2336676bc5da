// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Registering and completing. Callbacks of one future never overlap: they are a lane, which belongs
// to one thread at a time. The immediate ones run first, in the thread that completes; then each of
// the others is handed to its context when the one before it has returned. Late ones append.
extension AnyFuture {
    /// Registers `callback`, which runs when this future has completed, at once if it has.
    ///
    /// **Thread:** any. `callback` is not registered anywhere else.
    @usableFromInline
    final func register(_ callback: AnyFuture) {
        let node = Unmanaged.passRetained(callback)
        var word = state.load(ordering: .acquiring)
        while true {
            if word == FutureState.completed, !callback.home.isDirect {
                // The lane is free: it is this thread's now.
                (_, word) = take(word, FutureState.completed | FutureState.busy)
                if word == FutureState.completed {
                    node._withUnsafeGuaranteedRef { $0.next = nil }
                    lane = node
                    return beginLane()
                }
            } else if FutureState.isCompleted(word), callback.home.isDirect {
                callback.step?(callback, self)
                return node.release()
            } else if FutureState.isAbandoned(word) {
                callback.next = nil
                return Self.end(node, because: reasonOfAbandonment ?? "")
            } else {
                callback.next = FutureState.top(word)
                let (done, seen) = take(word, FutureState.push(node, on: word))
                if done { return }
                word = seen
            }
        }
    }

    /// The compare-and-swap of `state`, which publishes and takes over.
    private final func take(_ old: UInt, _ new: UInt) -> (Bool, UInt) {
        let (done, seen) = state.compareExchange(
            expected: old, desired: new, ordering: .acquiringAndReleasing)
        return (done, done ? old : seen)
    }

    /// Makes the result in `place` visible, and has the callbacks run.
    ///
    /// **Thread:** the one that wrote the result; it alone had the right to.
    @usableFromInline
    final func finish() {
        var word = state.load(ordering: .acquiring)
        while true {
            let hasCallbacks = FutureState.top(word) != nil
            let (done, seen) = take(
                word, FutureState.completed | (hasCallbacks ? FutureState.busy : 0))
            if done { break }
            word = seen
        }
        if let newest = FutureState.top(word) {
            lane = Self.immediateFirst(newest)
            beginLane()
        }
        if word & FutureState.awaited != 0 {
            WaitingRoom.wakeAll(of: self)
        }
    }

    /// From newest first to registration order, with the immediate ones before all others.
    private static func immediateFirst(_ newest: Unmanaged<AnyFuture>) -> Unmanaged<AnyFuture>? {
        var inline: Unmanaged<AnyFuture>?
        var others: Unmanaged<AnyFuture>?
        var lastInline: Unmanaged<AnyFuture>?
        var node: Unmanaged<AnyFuture>? = newest
        while let current = node {
            current._withUnsafeGuaranteedRef { future in
                node = future.next
                if future.home.isInline {
                    future.next = inline
                    inline = current
                    lastInline = lastInline ?? current
                } else {
                    future.next = others
                    others = current
                }
            }
        }
        guard let lastInline else { return others }
        lastInline._withUnsafeGuaranteedRef { $0.next = others }
        return inline
    }
}
