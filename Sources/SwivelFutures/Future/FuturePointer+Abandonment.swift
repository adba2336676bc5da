// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Futures that will never have a result, because no code can complete them any more.
extension FuturePointer {
    static let releasedSource = SwivelError.abandoned(
        "the future that this one derives from was released before it was completed")

    /// Ends the future without a result. Callbacks are released without running; a wait stops the
    /// program with the cause's reason. **Thread:** the thread that has the right to complete.
    func abandon(_ cause: SwivelError) {
        cell.pointee.move(to: CallbackContext(ContextBox(cause: cause)))
        cell.pointee.step = nil
        // As the exchange in `finish`: it publishes the cause, and takes the callbacks. No lane is
        // taken, for nothing runs.
        let word = cell.pointee.state.exchange(
            FutureState.abandoned, ordering: .sequentiallyConsistent)
        if word & FutureState.awaited != 0 { WaitingRoom.wakeAll(of: self) }
        endCallbacks(word, because: cause)
    }

    /// Destroys what the cell holds, and ends the callbacks that still wait.
    ///
    /// **Thread:** the thread that runs the object's `deinit`.
    @usableFromInline
    func destroyContents() {
        let last = cell.pointee.state.load(ordering: .acquiring)
        let isObserved = FailureObserver.isNeeded
        if FutureState.isOver(last) {
            cell.pointee.step?(self, isObserved ? self : nil)
            FutureState.lane(last)?.release()
        } else if last & ~FutureState.claimed != FutureState.pending {
            endCallbacks(last, because: Self.releasedSource)
        }
        if isObserved { FailureObserver.forget(self) }
        // Every pointer to this future was redirected above, or before.
        SourceTrace.letFinish()
        cell.pointee.context.release()
    }

    /// Ends the callbacks that wait for this future, which was pending until now.
    /// - Parameter word: The last state that it had then.
    func endCallbacks(_ word: UInt, because cause: SwivelError) {
        var newest = FutureState.top(word)
        if word & FutureState.hasRemovable != 0 { newest = takeRemovable(before: newest) }
        if let newest { Self.end(newest, because: cause) }
    }

    /// Why there will never be a result; `nil` while there may be one.
    var causeOfAbandonment: SwivelError? {
        FutureState.isAbandoned(cell.pointee.state.load(ordering: .acquiring))
            ? cell.pointee.context.box?.cause : nil
    }

    /// Ends the callbacks of a list, which will never run, and in turn those that wait for them,
    /// without recursion. Takes over the references of the list.
    static func end(_ newest: FuturePointer, because cause: SwivelError) {
        let ended = CallbackContext(ContextBox(cause: cause))
        defer { ended.release() }
        let trampoline = Trampoline.ofThread
        let first = reversed(newest)
        var node = first
        while let callback = node {
            callback.cell.pointee.move(to: ended.retained())
            // Its source may be gone before its step is called. Sequentially consistent, and before
            // the future's `deinit` checks whether a trace runs: see `SourceTrace`.
            callback.cell.pointee.source.bitwiseAnd(linking, ordering: .sequentiallyConsistent)
            node = callback.cell.pointee.next
            if node == nil { callback.cell.pointee.next = FuturePointer(trampoline.pointee.ending) }
        }
        trampoline.pointee.ending = first?.opaque
        trampoline.pointee.run = runPromised
        if !trampoline.pointee.isEnding { endAll(trampoline) }
    }

    /// Ends the callbacks that the thread has yet to end.
    static func endAll(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        trampoline.pointee.isEnding = true
        // A step may end other callbacks: they join this list, and need no stack frame.
        while let callback = FuturePointer(trampoline.pointee.ending) {
            trampoline.pointee.ending = callback.cell.pointee.next?.opaque
            callback.cell.pointee.next = nil
            callback.cell.pointee.step?(callback, nil)
            callback.release()
        }
        trampoline.pointee.isEnding = false
    }

    /// Why this future, as a callback, will never run.
    var cause: SwivelError {
        let context = cell.pointee.context
        return context.box?.cause
            ?? context.loop?._withUnsafeGuaranteedRef { $0.refusal }
            ?? .abandoned("its callback was released by the context that was to run it")
    }
}

extension SwivelError {
    static var queueFull: SwivelError {
        SwivelError(.queueFull, "as many posts wait on the loop as its maxPendingPosts allows")
    }

    /// The object that was to complete the future is gone.
    static func abandoned(_ reason: String) -> SwivelError { SwivelError(.abandoned, reason) }
}
