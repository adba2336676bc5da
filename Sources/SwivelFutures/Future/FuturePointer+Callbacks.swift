// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

// Registering callbacks, and completing. `FuturePointer+Lane.swift` tells what happens in between.
extension FuturePointer {
    /// Registers `callback`, a future or a ``Callback``, which runs when this future has completed,
    /// at once if it has.
    ///
    /// It takes an object, and is not inlined: of an object of which only a pointer leaves a
    /// function the optimizer may assume that nobody keeps it, and put it on the stack.
    ///
    /// **Thread:** any that keeps this future. `callback` is not registered anywhere else.
    @usableFromInline
    @inline(never)
    func register(_ callback: consuming AnyObject) {
        // Consumed here, so that the caller's reference moves and none is counted.
        register(FuturePointer(Unmanaged.passRetained(consume callback)))
    }

    /// Takes the right to complete, which exists once, for a future that several can complete.
    /// False: somebody else has it.
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
        // Acquire: as above.
        FutureState.isOver(cell.pointee.state.load(ordering: .acquiring))
    }

    /// As ``isOver``, for a thread that has announced itself to the completer before it asks.
    var hasEnded: Bool {
        FutureState.isOver(cell.pointee.state.load(ordering: .sequentiallyConsistent))
    }

    /// As ``register(_:)``. Takes over the reference for which `node` stands.
    ///
    /// - Parameter isLinked: Whether the source of `node` is set already.
    func register(_ node: FuturePointer, isLinked: Bool = false) {
        // Acquire: the result is read below if there is one.
        var word = cell.pointee.state.load(ordering: .acquiring)
        while true {
            if FutureState.isCompleted(word), node.cell.pointee.context.isDirect {
                markObserved()
                node.cell.pointee.step?(node, self)
                return node.release()
            }
            if FutureState.isAbandoned(word) {
                node.cell.pointee.next = nil
                return Self.end(node, because: causeOfAbandonment ?? Self.releasedSource)
            }
            let isLaneFree = word == FutureState.completed
            node.cell.pointee.next = isLaneFree ? nil : FutureState.top(word)
            // Relaxed: the exchange below publishes it. Before that nobody else has the node.
            if !isLinked { node.cell.pointee.source.store(bits, ordering: .relaxed) }
            let new =
                isLaneFree
                ? FutureState.completed | FutureState.busy : FutureState.push(node, on: word)
            let (done, seen) = exchange(word, new)
            if done {
                if isLaneFree {
                    markObserved()
                    cell.pointee.lane = node
                    // The lane may outlast the caller's reference on the future.
                    retained().runLane()
                }
                return
            }
            word = seen
        }
    }

    /// The compare-and-swap of the state.
    ///
    /// Release: a push publishes the callback's cell, a completion the result. Acquire: a
    /// completion sees the callbacks that it takes, and whoever takes the lane sees what its last
    /// owner did. Sequentially consistent, because it takes part in the handshake of
    /// ``SourceTrace``.
    private func exchange(_ old: UInt, _ new: UInt) -> (done: Bool, seen: UInt) {
        let (done, seen) = cell.pointee.state.compareExchange(
            expected: old, desired: new, ordering: .sequentiallyConsistent)
        return (done, seen)
    }

    /// Makes the result visible, and has the callbacks run.
    ///
    /// **Thread:** the one that wrote the result, and alone had the right to.
    @usableFromInline
    func finish() {
        // Only a guess for the exchange, which acquires.
        var word = cell.pointee.state.load(ordering: .acquiring)
        var only = FuturePointer?.none
        while true {
            only = Self.onlyDirect(word)
            // Without callbacks, or with one that needs no lane, the lane is free from the start.
            let hasCallbacks = word & ~(FutureState.claimed | FutureState.awaited) != 0
            let (done, seen) = exchange(
                word,
                FutureState.completed | (hasCallbacks && only == nil ? FutureState.busy : 0))
            if done { break }
            word = seen
        }
        // Waiting threads come before callbacks, which may wait for what such a thread does next.
        if word & FutureState.awaited != 0 {
            WaitingRoom.wakeAll(of: self)
        }
        if let only {
            markObserved()
            return runOutsideLane(only)
        }
        var callbacks = FutureState.top(word).flatMap(Self.immediateFirst)
        if word & FutureState.hasRemovable != 0 {
            callbacks = takeRemovable(before: callbacks)
        }
        if word & ~FutureState.claimed != 0 {
            markObserved()
        }
        if word & ~(FutureState.claimed | FutureState.awaited) != 0 {
            cell.pointee.lane = callbacks
            runOwnLane()
        }
    }

    /// Raises a flag of the state, for whoever completes the future. False: one of `others` was
    /// raised before, which are at least that the future is over.
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

    /// From newest first to registration order, with the immediate ones before all others.
    private static func immediateFirst(_ newest: FuturePointer) -> FuturePointer? {
        if newest.cell.pointee.next == nil {
            return newest
        }
        var (inline, others) = (FuturePointer?.none, FuturePointer?.none)
        var (node, lastInline) = (FuturePointer?.some(newest), FuturePointer?.none)
        while let current = node {
            node = current.cell.pointee.next
            if current.cell.pointee.context.isInline {
                current.cell.pointee.next = inline
                inline = current
                lastInline = lastInline ?? current
            } else {
                current.cell.pointee.next = others
                others = current
            }
        }
        guard let lastInline else { return others }
        lastInline.cell.pointee.next = others
        return inline
    }
}
