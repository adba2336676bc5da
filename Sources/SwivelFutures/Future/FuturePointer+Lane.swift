// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// # From completion to the last callback
//
// A future is one object with one cell (`FutureCell`), and it is also the callback of the future
// from which it derives: `map` allocates the child, stores its closure in the child's cell, and
// registers the child with the parent. A callback has no other record. Five words are all there is
// to learn:
//
// - The *cell* holds a future's raw words, reached through a `FuturePointer`, which counts nothing.
// - The *step* is the function in the cell that runs the future as a callback. It gets the
//   completed parent, or `nil` if there will never be one: then it only releases what the callback
//   keeps.
// - The *lane* is the right to run the callbacks of one completed future. One thread at a time has
//   it, so that callbacks of a future never overlap.
// - The *trampoline* lists the futures whose lanes this thread has and has yet to serve. Whoever
//   completes a future inside a callback appends to it instead of calling on: a chain of any length
//   needs one stack frame.
// - A *handover* is a callback on its way to its own context, with the lane. On a loop it is an
//   entry of the loop's queue.
//
// ## The course of events
//
// While a future is pending, callbacks are pushed onto a list whose newest one is in the state
// word. Completing exchanges that word once: it publishes the result, takes the whole list, and
// takes the lane. The thread puts the callbacks into registration order, the immediate ones first,
// and the future into its trampoline. The trampoline runs immediate callbacks one after the other.
// The first one with a context of its own gets a handover: the future leaves the trampoline, and
// wherever the callback has run, that thread continues with the lane. Callbacks that are registered
// after the completion take the lane if it is free; else they are pushed onto the state word again,
// and the lane's owner finds them when it tries to free the lane. A direct callback is the
// library's own, and needs no lane once the future has completed: it runs where it is registered.
//
// ## Who owns what, and when
//
// - A callback's payload, step and context belong to its maker until it is registered; then to the
//   list that it is in; then to the thread that runs it. When its own result is there, the payload
//   is constant, and the step, which now destroys the result, belongs to `deinit`.
// - `next` links a callback in its parent's list, then in the lane, and then, when the callback is
//   itself completed, the future in a trampoline. The list in a state word does not change until an
//   exchange takes it; each other list has one owner.
// - `lane` belongs to the thread that has the lane.
// - A list holds one reference on each of its callbacks, which goes to the lane, and to the
//   handover or the frame that runs the callback. A trampoline and a handover hold one on the
//   future whose lane they serve: nobody else may need that future any more.
//
// ## Why each exchange has its order
//
// - *Push and complete* (`register`, `finish`): release publishes the callback's cell, or the
//   result; acquire makes the completer see the cells that it takes. They are sequentially
//   consistent only for `SourceTrace`, whose handshake they take part in.
// - *Claim* (`claim`): a compare-and-swap and no plain "or", because `claimed` is the bit
//   that means `busy` when the future is over: an "or" that comes late would take the lane.
// - *Free the lane* (`freesLane`): release, because the next owner, who takes the lane by the
//   exchange in `register`, uses `lane` and `next` as this one left them. It expects a word without
//   callbacks: one that was pushed meanwhile makes it fail, so that none is left behind in a free
//   lane.
// - *Take late callbacks* (`freesLane`): acquire, for their cells. The word cannot change but by
//   pushes, because this thread still has the lane; so an exchange takes them all.
//
// A future that is the trampoline's alone when its lane is empty needs no exchange any more, and
// its object is kept for a new future: `SpareFutures`.
//
// `Tests/Model/swift/lane_model.swift` explores these exchanges with their orders weakened.
extension FuturePointer {
    /// Has the callbacks in `lane` run. This thread has the lane, and the pointer stands for a
    /// reference. Immediate ones run before this returns, unless a stack frame further up runs
    /// callbacks.
    func runLane() {
        runLane(Trampoline.ofThread)
    }

    private func runLane(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        if trampoline.pointee.isRunning {
            append(to: trampoline)
        } else if trampoline.pointee.first != nil || !passesOn(trampoline) {
            append(to: trampoline)
            Self.run(trampoline)
        }
    }

    /// Passes the lane on to its next callback, if that is for the loop that this thread runs, or
    /// frees it if none is left. False: there is something to run or to send.
    private func passesOn(_ trampoline: UnsafeMutablePointer<Trampoline>) -> Bool {
        if cell.pointee.lane == nil, endsLane(trampoline) {
            return true
        }
        guard let callback = cell.pointee.lane, callback.handOverHere() else { return false }
        // This thread runs the entry later.
        cell.pointee.lane = callback.cell.pointee.next
        return true
    }

    /// As ``runLane()``, where the pointer stands for nothing: takes the reference with which a
    /// stack frame runs this future as a callback, if one does, or a new one.
    func runOwnLane() {
        let trampoline = Trampoline.ofThread
        if trampoline.pointee.frame.callback == opaque {
            trampoline.pointee.frame.hasGivenCallback = true
            trampoline.pointee.frame.callback = nil
        } else {
            _ = retained()
        }
        runLane(trampoline)
    }

    /// The only callback of a pending future, if it is a direct one that can run at once.
    ///
    /// **Thread:** the completer's, which alone takes callbacks out of the list.
    static func onlyDirect(_ word: UInt) -> FuturePointer? {
        guard word & FutureState.hasRemovable == 0, let newest = FutureState.top(word),
            newest.cell.pointee.next == nil, newest.cell.pointee.context.isDirect
        else { return nil }
        let trampoline = Trampoline.ofThread
        let isIdle = !trampoline.pointee.isRunning && trampoline.pointee.first == nil
        return isIdle ? newest : nil
    }

    /// Runs `callback`, a direct one, of a future that its completer keeps meanwhile. Whatever it
    /// completes comes after it, as in the lane: this needs no more stack.
    func runOutsideLane(_ callback: FuturePointer) {
        let trampoline = Trampoline.ofThread
        trampoline.pointee.isRunning = true
        Self.serve(callback, of: self, trampoline)
        trampoline.pointee.isRunning = false
        if trampoline.pointee.first != nil { Self.run(trampoline) }
    }

    private func append(to trampoline: UnsafeMutablePointer<Trampoline>) {
        cell.pointee.next = nil
        if let last = FuturePointer(trampoline.pointee.last) {
            last.cell.pointee.next = self
        } else {
            trampoline.pointee.first = opaque
            trampoline.pointee.run = Self.runPromised
        }
        trampoline.pointee.last = opaque
    }

    /// Takes the first entry, which this is, out. The caller gets its reference.
    private func removeFirst(from trampoline: UnsafeMutablePointer<Trampoline>) {
        let next = cell.pointee.next
        trampoline.pointee.first = next?.opaque
        if next == nil {
            trampoline.pointee.last = nil
        }
    }

    /// Puts the entry back as the first one.
    private func insertFirst(into trampoline: UnsafeMutablePointer<Trampoline>) {
        cell.pointee.next = FuturePointer(trampoline.pointee.first)
        trampoline.pointee.first = opaque
        if trampoline.pointee.last == nil {
            trampoline.pointee.last = opaque
        }
    }

    /// Runs what the thread has promised. A callback that waits runs the rest in a stack frame of
    /// its own: nothing is remembered here from one round to the next.
    private static func run(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        trampoline.pointee.isRunning = true
        while let future = FuturePointer(trampoline.pointee.first) {
            guard let callback = future.firstInLane() else {
                // A free lane may be another thread's at once, and with it `next`, which links this
                // entry to the one after it: the entry has to be out of the list before.
                future.removeFirst(from: trampoline)
                if !future.endsLane(trampoline) {
                    future.insertFirst(into: trampoline)
                }
                continue
            }
            if callback.cell.pointee.context.isInline {
                serve(callback, of: future, trampoline)
            } else {
                // Out of the list before it is sent: the callback may run on another thread at
                // once, and the lane and `next` with it.
                future.removeFirst(from: trampoline)
                callback.handOver()
            }
        }
        trampoline.pointee.isRunning = false
    }

    /// Runs `callback`, an inline one, and gives its reference back.
    @inline(__always)
    private static func serve(
        _ callback: FuturePointer, of future: FuturePointer,
        _ trampoline: UnsafeMutablePointer<Trampoline>
    ) {
        trampoline.pointee.frame = Trampoline.Frame(
            entry: future.object.toOpaque(), callback: callback.opaque)
        callback.cell.pointee.step?(callback, future)
        // Cleared before anything is released: what a release or a later callback makes may lie at
        // this callback's address, and must not be taken for it.
        let frame = trampoline.pointee.frame
        trampoline.pointee.frame = Trampoline.Frame()
        if !frame.hasGivenCallback { callback.release() }
        if frame.holdsEntry { future.release() }
    }

    /// Does all that the thread has promised, before it waits: what it waits for may be among it,
    /// or be a later callback of the future whose callback waits.
    @Sendable static func runPromised() {
        let trampoline = Trampoline.ofThread
        if let source = FuturePointer(trampoline.pointee.lane) {
            trampoline.pointee.lane = nil
            source.takeLaneBack()
            source.retained().append(to: trampoline)
        }
        endAll(trampoline)
        run(trampoline)
    }

    /// The next callback of the lane, with its reference; `nil`: late ones may have come, or none.
    private func firstInLane() -> FuturePointer? {
        let callback = cell.pointee.lane
        cell.pointee.lane = callback?.cell.pointee.next
        return callback
    }

    /// Frees the lane, which is empty, and gives the reference on the future back. False: late
    /// callbacks have come, which are the lane now.
    @inline(__always)
    private func endsLane(_ trampoline: UnsafeMutablePointer<Trampoline>) -> Bool {
        if SpareFutures.keep(self, of: trampoline) { return true }
        guard freesLane() else { return false }
        release()
        return true
    }

    /// Frees the lane, which is empty, unless late callbacks have come: then they are the lane.
    private func freesLane() -> Bool {
        let busy = FutureState.completed | FutureState.busy
        // Release: the next owner sees what this one did. It fails if a callback was pushed.
        if cell.pointee.state.compareExchange(
            expected: busy, desired: FutureState.completed, ordering: .acquiringAndReleasing
        ).exchanged {
            return true
        }
        // Acquire: the late callbacks' cells are read from here on.
        let word = cell.pointee.state.exchange(busy, ordering: .acquiringAndReleasing)
        cell.pointee.lane = Self.reversed(FutureState.top(word))
        return false
    }

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
