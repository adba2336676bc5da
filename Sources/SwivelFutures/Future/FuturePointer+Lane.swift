// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// The lane of a completed future's callbacks, and the thread's trampoline, which runs those that are
// immediate. Nothing here calls itself: a chain of any length needs one frame.
extension FutureRef {
    /// Has the callbacks in `lane` run; this thread owns the lane, and the pointer stands for a
    /// reference. They run before this returns, unless a frame further up is running callbacks.
    func beginLane() {
        let trampoline = Trampoline.ofThread
        append(to: trampoline)
        if !trampoline.pointee.isRunning {
            Self.run(trampoline)
        }
    }

    /// As ``beginLane()``, where the pointer stands for nothing: takes the reference with which a frame
    /// runs this future as a callback, if one does, or a new one.
    func beginOwnLane() {
        let trampoline = Trampoline.ofThread
        if trampoline.pointee.frame.callback == opaque {
            trampoline.pointee.frame.hasGivenCallback = true
            trampoline.pointee.frame.callback = nil
        } else {
            _ = retained()
        }
        beginLane()
    }

    private func append(to trampoline: UnsafeMutablePointer<Trampoline>) {
        cell.pointee.next = nil
        if let last = FutureRef(trampoline.pointee.last) {
            last.cell.pointee.next = self
        } else {
            trampoline.pointee.first = opaque
            trampoline.pointee.run = Self.goOn
        }
        trampoline.pointee.last = opaque
    }

    /// Takes the first entry out. The caller gets its reference.
    private func leave(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        let next = cell.pointee.next
        trampoline.pointee.first = next?.opaque
        if next == nil {
            trampoline.pointee.last = nil
        }
    }

    /// Puts the entry in again, as the first one.
    private func enter(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        cell.pointee.next = FutureRef(trampoline.pointee.first)
        trampoline.pointee.first = opaque
        if trampoline.pointee.last == nil {
            trampoline.pointee.last = opaque
        }
    }

    /// Runs what the thread has promised. A callback that waits runs the rest in a frame of its own:
    /// nothing is known here from one round to the next.
    private static func run(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        trampoline.pointee.isRunning = true
        while let future = FutureRef(trampoline.pointee.first) {
            guard let callback = future.firstInLane() else {
                // Once the lane is free it is another thread's, and with it the link to the next
                // entry: this thread takes the future out before.
                future.leave(trampoline)
                if future.freesLane() {
                    future.release()
                } else {
                    future.enter(trampoline)
                }
                continue
            }
            if callback.cell.pointee.home.isInline {
                trampoline.pointee.frame = Trampoline.Frame(
                    entry: future.object.toOpaque(), callback: callback.opaque)
                callback.cell.pointee.step?(callback, future)
                // Over before anything is released: what a release or a later callback makes may lie
                // where this callback lay, and must not be taken for it.
                let frame = trampoline.pointee.frame
                trampoline.pointee.frame = Trampoline.Frame()
                if !frame.hasGivenCallback { callback.release() }
                if frame.holdsEntry { future.release() }
            } else {
                // From here on the lane is the callback's, on whatever thread that runs.
                future.leave(trampoline)
                LaneTicket(callback, future).send()
            }
        }
        trampoline.pointee.isRunning = false
    }

    /// Does all that the thread has promised, before it waits: what it waits for may be among it, or
    /// be a later callback of the future whose callback waits.
    @Sendable static func goOn() {
        let trampoline = Trampoline.ofThread
        if let source = FutureRef(trampoline.pointee.lane) {
            trampoline.pointee.lane = nil
            source.takeLaneBack()
            source.retained().append(to: trampoline)
        }
        endAll(trampoline)
        run(trampoline)
    }

    /// The next callback of the lane, with its reference; `nil`: late ones may have come, or none.
    private func firstInLane() -> FutureRef? {
        let callback = cell.pointee.lane
        cell.pointee.lane = callback?.cell.pointee.next
        return callback
    }

    /// Gives up the lane, which is empty, unless late callbacks have come: then they are the lane.
    private func freesLane() -> Bool {
        let busy = FutureState.completed | FutureState.busy
        if cell.pointee.state.compareExchange(
            expected: busy, desired: FutureState.completed, ordering: .acquiringAndReleasing
        ).exchanged {
            return true
        }
        let word = cell.pointee.state.exchange(busy, ordering: .acquiringAndReleasing)
        cell.pointee.lane = Self.reversed(FutureState.top(word))
        return false
    }

    static func reversed(_ newest: FutureRef?) -> FutureRef? {
        var (node, oldest) = (newest, FutureRef?.none)
        while let current = node {
            node = current.cell.pointee.next
            current.cell.pointee.next = oldest
            oldest = current
        }
        return oldest
    }
}
