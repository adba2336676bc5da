// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// A callback on its way to its context, with the lane of the future that it waited for.
//
// On a loop or a pool it is an entry of the queue, without an object. The entry stands for a reference
// on the callback, and for one on the future that it waited for. If a loop is the current one, the
// entry is a step of the turn under way: 0035.
//
// A context may drop it: then the callback ends, and the lane goes on.
extension FuturePointer {
    /// Sends this callback to its context. The pointer stands for a reference.
    ///
    /// - Parameter canBeRefused: Whether the future can tell that the loop has refused it. Asked
    ///   only for a callback that waited for nothing, on a loop that limits its posts.
    func handOver(_ canBeRefused: () -> Bool = { false }) {
        let context = cell.pointee.context
        if let loop = context.loop {
            loop._withUnsafeGuaranteedRef { send(to: $0, canBeRefused) }
        } else if let pool = context.pool {
            // Retained: the callback may run at once, and with it the last reference go.
            pool.takeUnretainedValue().accept(words)
        } else if let other = context.box?.context {
            if context.mayBeHeldUp { laneOwner?.giveLane(to: self) }
            let box = CallbackBox(words)
            other.execute { box.run() }
        } else {
            runHere()
        }
    }

    /// Sends this callback to its context, if that is the loop that the calling thread runs.
    @inline(__always)
    func handOverHere() -> Bool {
        guard let loop = cell.pointee.context.loop else { return false }
        return loop._withUnsafeGuaranteedRef { $0.acceptHere(words) }
    }

    /// The loop's limit of posts may refuse new work whose future can say so. A callback continues
    /// work that was accepted before, and is never refused.
    private func send(to loop: Loop, _ canBeRefused: () -> Bool) {
        let isLimited = laneOwner == nil && loop.limitsPosts && canBeRefused()
        if loop.accept(words, isLimited: isLimited) { return }
        if isLimited, loop.refusal == nil {
            cell.pointee.move(to: CallbackContext(endedBecause: .queueFull))
        }
        endUnrun()
    }

    /// The payload of a callback that waited for nothing begins with a closure: see
    /// ``start(_:canBeRefused:step:)``.
    private var words: CallbackWords {
        let goesOn = laneOwner != nil
        return CallbackWords(
            { argument, runs in
                let callback = FuturePointer(argument.assumingMemoryBound(to: FutureCell.self))
                if runs { callback.runHere() } else { callback.endUnrun() }
            }, opaque, goesOn: goesOn, hasClosure: !goesOn)
    }

    /// The future whose lane this callback, which is on its way, takes along. `nil`: it waited for
    /// nothing.
    private var laneOwner: FuturePointer? {
        // Relaxed: the callback is registered, and its thread's alone.
        FuturePointer(
            bits: cell.pointee.source.load(ordering: .relaxed) & ~FutureState.flags)
    }

    /// Runs this callback, which has arrived.
    private func runHere() {
        guard let source = laneOwner else {
            // The step of a callback that waited for nothing only asks whether it may run.
            cell.pointee.step?(self, self)
            return release()
        }
        // A wait inside the callback finds the lane here, and runs the rest of it before it blocks.
        let trampoline = Trampoline.ofThread
        let outer = trampoline.pointee.lane
        trampoline.pointee.lane = source.opaque
        trampoline.pointee.run = FuturePointer.runPromised
        cell.pointee.step?(self, source)
        // A callback that waited has passed the lane on, with a reference of its own.
        let hasLane = trampoline.pointee.lane != nil
        trampoline.pointee.lane = outer
        // The source stops pointing to the callback before the callback may go.
        if hasLane {
            source.takeLaneBack()
        }
        release()
        // After the release: what hangs on the callback goes before the next callback starts.
        if hasLane {
            source.runLane()
        } else {
            source.release()
        }
    }

    /// Ends this callback, which its context has dropped: no thread has the lane but this one.
    private func endUnrun() {
        let source = laneOwner
        cell.pointee.step?(self, nil)
        source?.takeLaneBack()
        release()
        source?.runLane()
    }

    /// From here on the future waits for no context: its work has started, or it follows another
    /// one, and it may end anywhere.
    ///
    /// **Thread:** the one that runs the step.
    @usableFromInline
    func leaveContext() {
        cell.pointee.leaveContext()
    }

    /// Has `step` run on the context of `future`. As ``register(_:)``, this takes an object.
    ///
    /// **Thread:** the one that made the future, which is not registered anywhere, and whose payload
    /// begins with a closure that the step releases.
    /// - Parameter canBeRefused: Whether it can fail because the loop is full.
    @usableFromInline
    @inline(never)
    static func start(
        _ future: consuming AnyObject, canBeRefused: () -> Bool, step: @escaping FutureCell.Step
    ) {
        // Consumed here, so that the caller's reference moves and none is counted.
        let future = FuturePointer(Unmanaged.passRetained(consume future))
        future.cell.pointee.step = step
        future.handOver(canBeRefused)
    }
}
