// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

// Registering and completing. Callbacks of one future never overlap: they are a lane, which belongs
// to one thread at a time. The immediate ones run first, in the thread that completes; then each of
// the others is handed to its context when the one before it has returned, or waits: it may wait for
// that next one. Late ones append.
extension FutureRef {
    /// See ``AnyFuture/register(_:)``. Takes over the reference that `node` stands for.
    ///
    /// - Parameter isLinked: Whether `node` knows already what it waits for.
    func register(_ node: FutureRef, isLinked: Bool = false) {
        var word = cell.pointee.state.load(ordering: .acquiring)
        while true {
            if FutureState.isCompleted(word), node.cell.pointee.home.isDirect {
                noteLook()
                node.cell.pointee.step?(node, self)
                return node.release()
            }
            if FutureState.isAbandoned(word) {
                node.cell.pointee.next = nil
                return Self.end(node, because: causeOfAbandonment ?? Self.releasedSource)
            }
            let isLaneFree = word == FutureState.completed
            node.cell.pointee.next = isLaneFree ? nil : FutureState.top(word)
            if !isLinked { node.cell.pointee.source.store(bits, ordering: .relaxed) }
            let new =
                isLaneFree
                ? FutureState.completed | FutureState.busy : FutureState.push(node, on: word)
            let (done, seen) = exchange(word, new)
            if done {
                if isLaneFree {
                    noteLook()
                    cell.pointee.lane = node
                    retained().beginLane()
                }
                return
            }
            word = seen
        }
    }

    /// The compare-and-swap of the state, which publishes and takes over. (Sequentially consistent
    /// for ``Lookout``.)
    private func exchange(_ old: UInt, _ new: UInt) -> (done: Bool, seen: UInt) {
        let (done, seen) = cell.pointee.state.compareExchange(
            expected: old, desired: new, ordering: .sequentiallyConsistent)
        return (done, seen)
    }

    /// Makes the result visible, and has the callbacks run.
    ///
    /// **Thread:** the one that wrote the result; it alone had the right to.
    @usableFromInline
    func finish() {
        var word = cell.pointee.state.load(ordering: .acquiring)
        while true {
            let hasCallbacks = word & ~(FutureState.claimed | FutureState.awaited) != 0
            let (done, seen) = exchange(
                word, FutureState.completed | (hasCallbacks ? FutureState.busy : 0))
            if done { break }
            word = seen
        }
        // Before the callbacks, which may wait for what a thread that waits here does next.
        if word & FutureState.awaited != 0 {
            WaitingRoom.wakeAll(of: self)
        }
        var callbacks = FutureState.top(word).flatMap(Self.immediateFirst)
        if word & FutureState.visited != 0 {
            callbacks = visitorsTaken(before: callbacks)
        }
        if word & ~FutureState.claimed != 0 {
            noteLook()
        }
        if word & ~(FutureState.claimed | FutureState.awaited) != 0 {
            cell.pointee.lane = callbacks
            beginOwnLane()
        }
    }

    /// From newest first to registration order, with the immediate ones before all others.
    private static func immediateFirst(_ newest: FutureRef) -> FutureRef? {
        if newest.cell.pointee.next == nil {
            return newest
        }
        var (inline, others) = (FutureRef?.none, FutureRef?.none)
        var (node, lastInline) = (FutureRef?.some(newest), FutureRef?.none)
        while let current = node {
            node = current.cell.pointee.next
            if current.cell.pointee.home.isInline {
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
