// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// The lane of a completed future: the right to run a callback of `onComplete` and its relatives,
// which one callback at a time has. See docs/design/futures-lane.md.

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
    /// keeps this future, which has completed. False: the callback is parked, with the caller's
    /// reference on this future; both may be gone by now.
    func run(_ callback: FuturePointer, _ trampoline: UnsafeMutablePointer<Trampoline>) -> Bool {
        if !callback.needsLane {
            Self.serve(callback, of: self, trampoline)
        } else if let held = trampoline.heldLane, held.pointee.source == self,
            held.pointee.batch > 0, callback.cell.pointee.context.isInline
        {
            Self.serve(callback, of: self, trampoline)
            endOfBatch(held)
        } else {
            guard enterLane(callback) else { return false }
            serveInLane(callback, trampoline)
        }
        return true
    }

    /// Runs `callback`, which has the lane, and frees the lane unless a wait has given it up.
    func serveInLane(_ callback: FuturePointer, _ trampoline: UnsafeMutablePointer<Trampoline>) {
        var held = HeldLane(source: self, outer: trampoline.heldLane)
        trampoline.with(&held) { Self.serve(callback, of: self, trampoline) }
        // After the release: what hangs on the callback goes before the next callback starts.
        if held.source != nil { leaveLane() }
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
    /// Announces `callback`, which is about to be sent to its context, and needs the lane. Not for
    /// an immediate one, whose thread runs it in order. **Thread:** any that keeps this completed
    /// future.
    func lineUp(_ callback: FuturePointer) {
        var word = cell.pointee.state.load(ordering: .acquiring)
        while word == FutureState.completed {
            let (done, seen) = exchange(word, FutureState.push(callback, on: word))
            if done { return }
            word = seen
        }
        withLane(word) { $0.lineUp(callback) }
    }

    /// Takes the lane for `callback`, which has arrived. False: it is parked, and may run
    /// elsewhere.
    private func enterLane(_ callback: FuturePointer) -> Bool {
        // An immediate one is not announced.
        let word = callback.cell.pointee.context.isInline ? 0 : callback.bits
        let (done, seen) = exchange(
            FutureState.completed | word, FutureState.completed | FutureState.busy)
        return done || withLane(seen) { $0.enter(callback) }
    }

    /// Frees the lane, and sends those that may start now.
    func leaveLane() {
        let busy = FutureState.completed | FutureState.busy
        let (done, seen) = exchange(busy, FutureState.completed)
        if done { return }
        for callback in withLane(seen, { $0.leave() }) { callback.send() }
    }

    /// Takes `callback`, which its context has dropped, out of its line.
    func leaveLine(_ callback: FuturePointer) {
        let word = FutureState.push(callback, on: FutureState.completed)
        let (done, seen) = exchange(word, FutureState.completed)
        if done { return }
        withLane(seen) { $0.drop(callback) }?.send()
    }

    /// Runs `body` on the lane as an object, under its lock. `word` is the state as it was seen
    /// last.
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

    /// Makes `lane`, whose lock the caller has, a part of the state, if that is still `word`.
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
