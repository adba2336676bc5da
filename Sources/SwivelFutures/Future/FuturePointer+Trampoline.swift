// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

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

    /// Runs what the thread has promised. A callback that waits runs the rest in a stack frame of
    /// its own: nothing is remembered here from one round to the next.
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
    /// The caller keeps this future during the call, and has a reference on the callback, which goes.
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

    /// Does all that the thread has promised, before it waits: what it waits for may be among it, or
    /// be a later callback of the future whose callback waits.
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
