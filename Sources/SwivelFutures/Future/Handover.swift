// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// A callback on its way to its context. On a loop or a pool it is an entry of the queue, which
// stands for a reference on the callback and for one on its source. On the current loop the entry
// belongs to the current turn. A context may drop a callback, which then ends.
extension FuturePointer {
    /// How many calls of contexts, which may run what they are given inside the call, nest at most.
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
    /// - Parameter canBeRefused: Whether the future can express that the loop has refused it.
    ///   Called for a callback that waits for nothing, on a loop that limits its posts.
    func handOver(
        _ trampoline: UnsafeMutablePointer<Trampoline>, _ canBeRefused: () -> Bool = { false }
    ) {
        let context = cell.pointee.context
        if let loop = context.loop {
            return loop._withUnsafeGuaranteedRef { hand(to: $0, trampoline, canBeRefused) }
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

    /// The loop's limit of posts may refuse new work whose future can express that. A callback
    /// continues work that was accepted before, and is never refused.
    private func hand(
        to loop: Loop, _ trampoline: UnsafeMutablePointer<Trampoline>, _ canBeRefused: () -> Bool
    ) {
        let isNew = origin == nil
        if !isNew, loop.acceptHere(words) { return }
        let isLimited = isNew && loop.limitsPosts && canBeRefused()
        if loop.accept(words, isLimited: isLimited) { return }
        if isLimited, loop.refusal == nil {
            cell.pointee.move(to: CallbackContext(ContextBox(cause: .queueFull)))
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
        FuturePointer(bits: cell.pointee.source.load(ordering: .relaxed) & ~FutureState.flags)
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

    /// Runs `step` on the context of `future`. As ``register(_:needsLane:)``, this takes an object.
    ///
    /// **Thread:** the thread that made the future, which is not registered anywhere, and whose
    /// payload begins with a closure that the step releases.
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

// The immediate context: a thread's list of callbacks that it has yet to run.
extension UnsafeMutablePointer<Trampoline> {
    /// Whether a callback may run on the thread right now, and none before it.
    var isIdle: Bool { !pointee.isRunning && pointee.first == nil }

    /// Adds a callback, with its references on itself and on its source.
    func append(_ callback: FuturePointer) {
        callback.cell.pointee.next = nil
        if let last = FuturePointer(pointee.last) {
            last.cell.pointee.next = callback
        } else {
            pointee.first = callback.opaque
            pointee.run = FuturePointer.runPromised
        }
        pointee.last = callback.opaque
    }

    /// Runs the list. A callback that waits runs the rest in a stack frame of its own: nothing is
    /// remembered here from one round to the next.
    func run() {
        pointee.isRunning = true
        while let callback = FuturePointer(pointee.first) {
            let next = callback.cell.pointee.next
            pointee.first = next?.opaque
            if next == nil { pointee.last = nil }
            if callback.cell.pointee.context.isInline {
                callback.arrive(self)
            } else {
                callback.handOver(self)
            }
        }
        pointee.isRunning = false
    }
}

extension FuturePointer {
    /// Runs `callback`, an inline one that has the lane if it needs that, on a thread that is idle.
    /// The caller keeps this future during the call, and has a reference on the callback, which
    /// goes.
    func runHere(_ callback: FuturePointer, _ trampoline: UnsafeMutablePointer<Trampoline>) {
        trampoline.pointee.isRunning = true
        if callback.needsLane {
            serveInLane(callback, trampoline)
        } else {
            Self.serve(callback, of: self, trampoline)
        }
        trampoline.pointee.isRunning = false
        if trampoline.pointee.first != nil { trampoline.run() }
    }

    /// A reference on this future for one of its callbacks: that with which a stack frame runs this
    /// future as a callback, if one does, or a new one.
    func retain(for trampoline: UnsafeMutablePointer<Trampoline>) {
        if trampoline.pointee.frame.callback == opaque {
            trampoline.pointee.frame.hasGivenCallback = true
            trampoline.pointee.frame.callback = nil
        } else {
            _ = retained()
        }
    }

    /// Does all that the thread has promised, before it waits: what it waits for may be among it,
    /// or be a later callback of the future whose callback waits.
    @Sendable static func runPromised() {
        let trampoline = Trampoline.ofThread
        var lane = trampoline.heldLane
        while let held = lane {
            lane = held.pointee.outer
            if let source = held.pointee.source {
                held.pointee.source = nil
                source.leaveLane()
            }
        }
        endAll(trampoline)
        trampoline.run()
    }
}
