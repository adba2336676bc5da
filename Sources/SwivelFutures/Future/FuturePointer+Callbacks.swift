// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Registering callbacks, and the right to complete. See docs/design/futures-lane.md.
extension FuturePointer {
    /// Registers `callback`, a future or a ``Callback``, which runs when this future has completed,
    /// at once if it has. It takes an object, and is not inlined, for the reason of
    /// ``Future/pointer``.
    ///
    /// **Thread:** any that keeps this future. `callback` is not registered anywhere else.
    @usableFromInline
    @inline(never)
    func register(_ callback: consuming AnyObject, needsLane: Bool = false) {
        // Consumed here, so that the caller's reference moves and none is counted.
        register(
            FuturePointer(Unmanaged.passRetained(consume callback)), needsLane: needsLane)
    }

    /// Takes the right to complete, which exists once, for a future that several can complete.
    /// False: another thread has it.
    @usableFromInline
    func claim() -> Bool {
        raise(FutureState.claimed, unless: FutureState.over | FutureState.claimed)
    }

    /// Whether there is a result.
    @usableFromInline
    var isCompleted: Bool {
        // Acquire: the caller may read the result.
        FutureState.isCompleted(cell.pointee.state.load(ordering: .acquiring))
    }

    /// Whether there is a result, or there will never be one.
    var isOver: Bool {
        // Sequentially consistent for a thread that has announced itself to the completer before.
        FutureState.isOver(cell.pointee.state.load(ordering: .sequentiallyConsistent))
    }

    /// As ``register(_:needsLane:)``. Takes over the reference for which `node` stands, whose
    /// source is set already if it `isLinked`.
    func register(_ node: FuturePointer, isLinked: Bool = false, needsLane: Bool = false) {
        let source = needsLane ? bits | Self.inLane : bits
        // Acquire: the result is read below if there is one.
        var word = cell.pointee.state.load(ordering: .acquiring)
        while !FutureState.isOver(word) {
            node.cell.pointee.next = FutureState.top(word)
            // Relaxed: the exchange below publishes it. Before that no other thread has the node.
            if !isLinked { node.cell.pointee.source.store(source, ordering: .relaxed) }
            let (done, seen) = exchange(word, FutureState.push(node, on: word))
            if done { return }
            word = seen
        }
        node.cell.pointee.next = nil
        if FutureState.isAbandoned(word) {
            return Self.end(node, because: causeOfAbandonment ?? Self.releasedSource)
        }
        markObserved()
        if node.cell.pointee.context.isDirect {
            node.cell.pointee.step?(node, self)
            return node.release()
        }
        node.cell.pointee.source.store(source, ordering: .relaxed)
        begin(node)
    }

    /// Sends `callback`, which is registered after the completion, to its context.
    private func begin(_ callback: FuturePointer) {
        let context = callback.cell.pointee.context
        if callback.needsLane {
            if !context.isInline { lineUp(callback) }
        } else if context.isInline {
            let trampoline = Trampoline.ofThread
            if trampoline.isIdle { return runHere(callback, trampoline) }
        }
        // The callback may outlast the caller's reference on this future.
        _ = retained()
        callback.send()
    }

    /// The compare-and-swap of the state, or of the lane in it.
    ///
    /// Release: a push publishes the callback's cell, a completion the result. Acquire: a
    /// completion sees the callbacks that it takes, and a callback in the lane sees what those
    /// before it did. Sequentially consistent, because it takes part in the handshake of
    /// ``SourceTrace``.
    func exchange(_ old: UInt, _ new: UInt) -> (done: Bool, seen: UInt) {
        let (done, seen) = cell.pointee.state.compareExchange(
            expected: old, desired: new, ordering: .sequentiallyConsistent)
        return (done, seen)
    }

    /// Raises a flag of the state, for the thread that completes the future. False: one of
    /// `others`, which include `over`, was raised before.
    func raise(_ flag: UInt, unless others: UInt = FutureState.over) -> Bool {
        var word = cell.pointee.state.load(ordering: .acquiring)
        while word & others == 0 {
            // Not a plain "or": once the future is over the same bit has another meaning. Release:
            // the completer that sees the flag sees what led to it. Acquire: a caller that gets
            // `false` may read the result.
            let (done, seen) = cell.pointee.state.compareExchange(
                expected: word, desired: word | flag, ordering: .acquiringAndReleasing)
            if done { return true }
            word = seen
        }
        return false
    }
}
