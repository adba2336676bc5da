// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Completing a future that has a result. See docs/design/futures-lane.md.
extension FuturePointer {
    /// Makes the result visible, and sends the callbacks to their contexts.
    ///
    /// **Thread:** the thread that wrote the result, and alone had the right to.
    @usableFromInline
    func finish() {
        // Only a guess for the exchange, which acquires.
        var word = cell.pointee.state.load(ordering: .acquiring)
        while true {
            let newest = FutureState.top(word)
            if newest?.cell.pointee.next != nil || word & FutureState.hasRemovable != 0 {
                return finishMany(word)
            }
            let (done, seen) = exchange(word, Self.completed(with: newest))
            if done { break }
            word = seen
        }
        noteEnd(of: word)
        guard let only = FutureState.top(word) else { return }
        let trampoline = Trampoline.ofThread
        if only.cell.pointee.context.isInline, trampoline.isIdle {
            runHere(only, trampoline)
        } else {
            retain(for: trampoline)
            only.send()
        }
    }

    /// The state of a future that completes with one callback, or with none.
    @inline(__always)
    private static func completed(with only: FuturePointer?) -> UInt {
        guard let only, only.needsLane else { return FutureState.completed }
        if !only.cell.pointee.context.isInline {
            return FutureState.push(only, on: FutureState.completed)
        }
        // See `finish`: either it runs at once, or it takes the lane when its turn has come.
        return FutureState.completed | (Trampoline.ofThread.isIdle ? FutureState.busy : 0)
    }

    /// Wakes those that waited while the state was `word`.
    @inline(__always)
    private func noteEnd(of word: UInt) {
        // Waiting threads come before callbacks, which may wait for what such a thread does next.
        if word & FutureState.awaited != 0 { WaitingRoom.wakeAll(of: self) }
        if word & ~FutureState.claimed != 0 { markObserved() }
    }

    /// As ``finish()``, with several callbacks.
    @inline(never)
    private func finishMany(_ guess: UInt) {
        let trampoline = Trampoline.ofThread
        var (word, callbacks, batch) = (guess, FuturePointer?.none, 0)
        while true {
            let (inline, others) = Self.countInLane(FutureState.top(word))
            batch = trampoline.isIdle ? inline : 0
            let (done, seen) = complete(word, waiting: others, isBusy: batch > 0, &callbacks)
            if done { break }
            word = seen
        }
        noteEnd(of: word)
        // Whatever the callbacks do, this future stays until all have been sent.
        _ = retained()
        if word & FutureState.hasRemovable != 0 { callbacks = takeRemovable(before: callbacks) }
        if batch > 0 {
            var held = HeldLane(source: self, batch: batch, outer: trampoline.heldLane)
            trampoline.with(&held) { sendAll(callbacks, trampoline) }
        } else {
            sendAll(callbacks, trampoline)
        }
        release()
    }

    /// How many callbacks of a list need the lane: immediate ones, and others.
    private static func countInLane(_ newest: FuturePointer?) -> (inline: Int, others: Int) {
        var (node, inline, others) = (newest, 0, 0)
        while let callback = node {
            if callback.needsLane {
                if callback.cell.pointee.context.isInline { inline += 1 } else { others += 1 }
            }
            node = callback.cell.pointee.next
        }
        return (inline, others)
    }

    /// The exchange of a completion with several callbacks, `waiting` of which have to be lined up.
    /// If it succeeds, `callbacks` is the list in registration order. `isBusy`: the immediate ones
    /// take the lane.
    private func complete(
        _ word: UInt, waiting: Int, isBusy: Bool, _ callbacks: inout FuturePointer?
    ) -> (done: Bool, seen: UInt) {
        if waiting == 0 {
            let new = FutureState.completed | (isBusy ? FutureState.busy : 0)
            let (done, seen) = exchange(word, new)
            if done { callbacks = Self.reversed(FutureState.top(word)) }
            return (done, seen)
        }
        // Published under its lock: a callback that arrives or registers finds complete lines.
        let lane = Lane(LaneState(isBusy: isBusy))
        return lane.withLock { state in
            let (done, seen) = publish(lane, for: word)
            if done {
                callbacks = Self.reversed(FutureState.top(word))
                Self.lineUp(callbacks, in: &state)
            }
            return (done, seen)
        }
    }

    private static func lineUp(_ first: FuturePointer?, in state: inout LaneState) {
        var node = first
        while let callback = node {
            if callback.needsLane, !callback.cell.pointee.context.isInline {
                state.lineUp(callback)
            }
            node = callback.cell.pointee.next
        }
    }

    /// Sends a list of callbacks: to queues, to contexts that may run them at once, and to this
    /// thread.
    private func sendAll(_ first: FuturePointer?, _ trampoline: UnsafeMutablePointer<Trampoline>) {
        let wasRunning = trampoline.pointee.isRunning
        // A context may run a callback at once, or drop it: callbacks of its future follow the
        // list.
        trampoline.pointee.isRunning = true
        var node = first
        var (boxed, last) = (FuturePointer?.none, FuturePointer?.none)
        while let callback = node {
            node = callback.cell.pointee.next
            _ = retained()
            let context = callback.cell.pointee.context
            if context.isInline {
                trampoline.append(callback)
            } else if context.isBoxed {
                callback.cell.pointee.next = nil
                if let last { last.cell.pointee.next = callback } else { boxed = callback }
                last = callback
            } else {
                callback.send()
            }
        }
        while let callback = boxed {
            boxed = callback.cell.pointee.next
            callback.send()
        }
        if !wasRunning { trampoline.run() }
    }

    /// From newest first to registration order.
    static func reversed(_ newest: FuturePointer?) -> FuturePointer? {
        var (node, oldest) = (newest, FuturePointer?.none)
        while let current = node {
            node = current.cell.pointee.next
            current.cell.pointee.next = oldest
            oldest = current
        }
        return oldest
    }
}
