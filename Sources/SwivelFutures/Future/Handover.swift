// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// A callback on its way to its context. On a loop or a pool it is an entry of the queue, which stands
// for a reference on the callback and for one on its source. On the current loop the entry belongs to
// the current turn. A context may drop a callback, which then ends.
extension FuturePointer {
    /// Calls of contexts, one inside the other, beyond which the next one waits for their end: a
    /// context may run what it is given inside the call.
    private static let handovers = 16

    /// Sends this callback to its context. The pointer stands for a reference on the callback, and
    /// for one on its source.
    func send() {
        let trampoline = Trampoline.ofThread
        let context = cell.pointee.context
        if context.isInline || trampoline.pointee.handovers >= Self.handovers {
            trampoline.append(self)
            if !trampoline.pointee.isRunning { trampoline.run() }
        } else {
            handOver(trampoline)
        }
    }

    /// As ``send()``, for a context that is not an inline one.
    /// - Parameter canBeRefused: Whether the future can express that the loop has refused it. Called
    ///   only for a callback that waits for nothing, on a loop that limits its posts.
    func handOver(
        _ trampoline: UnsafeMutablePointer<Trampoline>, _ canBeRefused: () -> Bool = { false }
    ) {
        let context = cell.pointee.context
        if let loop = context.loop {
            loop._withUnsafeGuaranteedRef { hand(to: $0, trampoline, canBeRefused) }
            return
        }
        trampoline.pointee.handovers += 1
        if let pool = context.pool {
            // Retained: the callback may run at once, and with it the last reference go.
            pool.takeUnretainedValue().accept(words)
        } else if let other = context.box?.context {
            let box = CallbackBox(words)
            other.execute { box.run() }
        } else {
            arrive(trampoline)
        }
        trampoline.pointee.handovers -= 1
    }

    /// The loop's limit of posts may refuse new work whose future can say so. A callback continues
    /// work that was accepted before, and is never refused.
    private func hand(
        to loop: Loop, _ trampoline: UnsafeMutablePointer<Trampoline>, _ canBeRefused: () -> Bool
    ) {
        let isNew = origin == nil
        if !isNew, loop.acceptHere(words) { return }
        let isLimited = isNew && loop.limitsPosts && canBeRefused()
        if loop.accept(words, isLimited: isLimited) { return }
        if isLimited, loop.refusal == nil {
            cell.pointee.move(to: CallbackContext(endedBecause: .queueFull))
        }
        trampoline.pointee.handovers += 1
        endUnrun(trampoline)
        trampoline.pointee.handovers -= 1
    }

    /// The payload of a callback that waits for nothing begins with a closure: see
    /// ``start(_:canBeRefused:step:)``.
    private var words: CallbackWords {
        let goesOn = origin != nil
        return CallbackWords(
            { argument, runs in
                let callback = FuturePointer(argument.assumingMemoryBound(to: FutureCell.self))
                let trampoline = Trampoline.ofThread
                if runs { callback.arrive(trampoline) } else { callback.endUnrun(trampoline) }
            }, opaque, goesOn: goesOn, hasClosure: !goesOn)
    }

    /// The source of this callback, which is on its way. `nil`: it waits for nothing.
    private var origin: FuturePointer? {
        // Relaxed: the callback is registered, and its thread's alone.
        FuturePointer(
            bits: cell.pointee.source.load(ordering: .relaxed) & ~FutureState.flags)
    }

    /// Runs this callback, which has arrived, or parks it.
    func arrive(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        guard let source = origin else {
            // The step of a callback that waits for nothing only checks whether it may run.
            cell.pointee.step?(self, self)
            return release()
        }
        forgetTaken()
        if source.run(self, trampoline) { source.release() }
    }

    /// Ends this callback, which its context has dropped.
    private func endUnrun(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        let (source, needsLane) = (origin, needsLane)
        cell.pointee.step?(self, nil)
        if needsLane { source?.leaveLine(self) }
        release()
        source?.release()
    }

    /// Has `step` run on the context of `future`. As ``register(_:needsLane:)``, this takes an object.
    ///
    /// **Thread:** the thread that made the future, which is not registered anywhere, and whose payload
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
        future.handOver(Trampoline.ofThread, canBeRefused)
    }
}
