// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// # From completion to the last callback
//
// A future is one object with one cell (`FutureCell`), and it is also the callback of the future
// from which it derives: `map` allocates the child, stores its closure in the child's cell, and
// registers the child with the parent. Six words are all there is to learn:
//
// - The *cell* holds a future's raw words, reached through a `FuturePointer`, which counts nothing.
// - The *step* is the function in the cell that runs the future as a callback. It gets the
//   completed parent, or `nil` if there will never be one: then it only releases what the callback
//   keeps.
// - The *source* of a callback is the future with which it is registered.
// - The *lane* is the right to run a callback of `onComplete` and its relatives. One callback of a
//   future at a time has it, so that they never overlap. A transformation (`map`, `flatMap`,
//   `recover`, a step of `fold`) and the library's own callbacks need no lane: they run next to
//   whatever else runs.
// - A *line* is the order of the callbacks of one context that need the lane and have not started.
// - The *trampoline* lists immediate callbacks that this thread has yet to run. A thread that completes a
//   future inside a callback appends to it instead of calling on: a chain of any length needs one
//   stack frame.
//
// ## The course of events
//
// 1. While a future is pending, callbacks are pushed onto a list whose newest one is in the state
//    word. Completing exchanges that word once, which publishes the result and takes the list.
// 2. All callbacks are sent to their contexts at once: to loops, pools and queues in registration
//    order, and then the immediate ones to this thread's trampoline. On a loop or a pool a callback
//    is an entry of the queue. A callback that is registered later is sent at once too.
// 3. A transformation that arrives on its context runs. A callback that needs the lane takes it
//    first. If another one has it, or one before it in its line has not started, it is *parked*: it
//    leaves its context to others, and does not wait there.
// 4. When a callback has run, it frees the lane. The first of each line, if it is parked, is sent to
//    its context again. The first one to arrive has the lane; one whose context is busy or gone
//    holds up none of the others.
// 5. A callback that its context drops leaves its line. Nothing else changes.
//
// The immediate callbacks of a future that completes on a thread which runs no trampoline take the
// lane together, before the others are sent: they have run when `succeed` returns.
//
// A callback that waits gives up the lane until its end, because it may wait for a later callback of
// the same future: the next one may start, and the thread runs its trampoline before it blocks.
//
// ## Who owns what, and when
//
// - A callback's payload, step and context belong to its maker until it is registered; then to the
//   list that it is in; then to the thread that runs it. When its own result is there, the payload
//   is constant, and the step, which now destroys the result, belongs to `deinit`.
// - `next` links a callback in its source's list, and then in a trampoline. The list in a state word
//   does not change until an exchange takes it; each other list has one owner.
// - `link` and the lines belong to the holder of the `Lane`'s lock, an object that a future gets
//   with the second callback that wants its lane, and keeps. Before that the state word says it all.
// - A list holds one reference on each of its callbacks. A callback on its way, or parked, keeps
//   itself and its source: there may be no other reference to them.
//
// ## Why each exchange has its order
//
// - *Push and complete* (`register`, `finish`): release publishes the callback's cell, or the
//   result; acquire makes the completer see the cells that it takes. They are sequentially
//   consistent only for `SourceTrace`, whose handshake they take part in.
// - *Claim* (`claim`): a compare-and-swap and no plain "or", because `claimed` is the bit
//   that means `busy` when the future is over: an "or" that comes late would take the lane.
// - *Take and free the lane* (`enterLane`, `leaveLane`): release and acquire. A callback sees what
//   the ones before it did.
// - *Line up* (`lineUp`, `withLane`): a compare-and-swap, which fails if the callback in the word has
//   arrived, or the lane was freed: no callback is left behind. Release publishes the lane. It
//   is published under its own lock, so that a callback which arrives finds itself in its line.
//
// `Tests/Model/swift/lane_model.swift` explores these exchanges with their orders weakened.

/// A lane that this thread has, in the frame that runs its callbacks.
struct HeldLane {
    /// The future; `nil`: a callback has waited, and has given the lane up.
    var source: FuturePointer?
    /// Of immediate callbacks that took the lane together: how many have yet to end.
    var batch = 0
    /// The lane of a frame further up.
    var outer: UnsafeMutablePointer<HeldLane>?
}

extension FuturePointer {
    /// Runs `callback`, which has arrived on its context, and gives its reference back. The caller
    /// keeps this future, which has completed. False: the callback is parked. It keeps itself, and a
    /// reference on this future that the caller has had; both may be gone by now.
    func run(_ callback: FuturePointer, _ trampoline: UnsafeMutablePointer<Trampoline>) -> Bool {
        if !callback.needsLane {
            Self.serve(callback, of: self, trampoline)
            return true
        }
        let outer = trampoline.heldLane
        if let outer, outer.pointee.source == self, outer.pointee.batch > 0,
            callback.cell.pointee.context.isInline
        {
            Self.serve(callback, of: self, trampoline)
            endOfBatch(outer)
            return true
        }
        guard enterLane(callback) else { return false }
        var held = HeldLane(source: self, outer: outer)
        trampoline.with(&held) { Self.serve(callback, of: self, trampoline) }
        // After the release: what hangs on the callback goes before the next callback starts.
        if held.source != nil { leaveLane() }
        return true
    }

    /// The last immediate callback that took the lane together with others frees it.
    private func endOfBatch(_ held: UnsafeMutablePointer<HeldLane>) {
        guard held.pointee.source != nil else { return }
        held.pointee.batch -= 1
        if held.pointee.batch == 0 {
            held.pointee.source = nil
            leaveLane()
        }
    }

    /// Runs the step of `callback`, and gives the reference on it back.
    @inline(__always)
    static func serve(
        _ callback: FuturePointer, of source: FuturePointer,
        _ trampoline: UnsafeMutablePointer<Trampoline>
    ) {
        let outer = trampoline.pointee.frame
        trampoline.pointee.frame = Trampoline.Frame(callback: callback.opaque)
        callback.cell.pointee.step?(callback, source)
        // Before anything is released: what a release or a later callback makes may lie at this
        // callback's address, and must not be taken for it.
        let hasGiven = trampoline.pointee.frame.hasGivenCallback
        trampoline.pointee.frame = outer
        if !hasGiven { callback.release() }
    }
}

// The lane as a word, until a second callback wants it.
extension FuturePointer {
    /// Announces `callback`, which is about to be sent to its context, and needs the lane. It is not
    /// an immediate one, whose thread runs it in order.
    ///
    /// **Thread:** any that keeps this future, which has completed.
    func lineUp(_ callback: FuturePointer) {
        var word = cell.pointee.state.load(ordering: .acquiring)
        while word == FutureState.completed {
            let (done, seen) = exchangeLane(word, FutureState.push(callback, on: word))
            if done { return }
            word = seen
        }
        withLane(word) { $0.lineUp(callback) }
    }

    /// Takes the lane for `callback`, which has arrived on its context. False: the callback is
    /// parked, and may run elsewhere by now.
    private func enterLane(_ callback: FuturePointer) -> Bool {
        let isInline = callback.cell.pointee.context.isInline
        // An immediate one is not announced: its thread runs it in order.
        let word = isInline ? 0 : callback.bits
        let (done, seen) = exchangeLane(
            FutureState.completed | word, FutureState.completed | FutureState.busy)
        return done || withLane(seen) { $0.enter(callback) }
    }

    /// Frees the lane, and sends those that may start now.
    func leaveLane() {
        let busy = FutureState.completed | FutureState.busy
        let (done, seen) = exchangeLane(busy, FutureState.completed)
        if done { return }
        for callback in withLane(seen, { $0.leave() }) { callback.send() }
    }

    /// Takes `callback`, which its context has dropped, out of its line.
    func leaveLine(_ callback: FuturePointer) {
        let word = FutureState.push(callback, on: FutureState.completed)
        let (done, seen) = exchangeLane(word, FutureState.completed)
        if done { return }
        withLane(seen) { $0.drop(callback) }?.send()
    }

    private func exchangeLane(_ old: UInt, _ new: UInt) -> (done: Bool, seen: UInt) {
        let (done, seen) = cell.pointee.state.compareExchange(
            expected: old, desired: new, ordering: .acquiringAndReleasing)
        return (done, seen)
    }

    /// Runs `body` on the lane as an object, under its lock.
    ///
    /// - Parameter word: The state as it was seen last.
    private func withLane<R>(_ word: UInt, _ body: (inout LaneState) -> R) -> R {
        var word = word
        while true {
            if let lane = FutureState.lane(word) {
                return lane._withUnsafeGuaranteedRef { $0.withLock(body) }
            }
            word = makeLane(word)
        }
    }

    /// Makes the lane an object, if the state is still `word`. Returns the state.
    private func makeLane(_ word: UInt) -> UInt {
        let lane = Lane(LaneState(isBusy: word & FutureState.busy != 0))
        return lane.withLock { state in
            let (done, seen) = publish(lane, for: word)
            // The callback in the word is on its way, and cannot start before the lock is released.
            if done, let waiting = FutureState.top(word) { state.lineUp(waiting) }
            return seen
        }
    }

    /// Makes `lane`, whose lock the caller has, a part of the state, if that is still `word`. Returns
    /// the state.
    func publish(_ lane: Lane, for word: UInt) -> (done: Bool, seen: UInt) {
        let object = Unmanaged.passRetained(lane)
        let new = FutureState.word(object)
        let (done, seen) = exchange(word, new)
        if !done { object.release() }
        return (done, done ? new : seen)
    }
}

extension UnsafeMutablePointer<Trampoline> {
    /// The innermost lane that the thread has.
    var heldLane: UnsafeMutablePointer<HeldLane>? {
        pointee.lane?.assumingMemoryBound(to: HeldLane.self)
    }

    /// Runs `body` in a frame with a lane, which a wait inside `body` finds and gives up.
    func with(_ held: inout HeldLane, _ body: () -> Void) {
        withUnsafeMutablePointer(to: &held) { held in
            pointee.lane = UnsafeMutableRawPointer(held)
            pointee.run = FuturePointer.runPromised
            body()
            pointee.lane = held.pointee.outer.map { UnsafeMutableRawPointer($0) }
        }
    }
}
