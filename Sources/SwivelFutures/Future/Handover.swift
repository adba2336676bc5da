// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A callback on its way to its context, with the lane of the future that it waited for.
///
/// A context may drop it: then the callback ends, and the lane goes on.
final class Handover: @unchecked Sendable {
    // because it goes from thread to thread through a context, and is never shared.
    /// Stands for a reference; `nil` once it has run.
    private var callback: FuturePointer?
    /// Stands for a reference. `nil`: the callback waited for nothing, and there is no lane.
    private let source: FuturePointer?

    init(_ callback: FuturePointer, _ source: FuturePointer?) {
        self.callback = callback
        self.source = source
    }

    /// - Parameter canBeRefused: Whether the future can tell that the loop has refused it. Asked
    ///   only for a callback that waited for nothing, on a loop that limits its posts.
    func send(_ canBeRefused: () -> Bool = { false }) {
        guard let callback else { return }
        let context = callback.cell.pointee.context
        if let loop = context.loop {
            send(to: loop, canBeRefused)
        } else if let other = context.box?.context {
            if context.mayBeHeldUp { source?.giveLane(to: callback) }
            other.execute { [self] in run() }
        } else {
            run()
        }
    }

    /// The loop's limit of posts may refuse new work whose future can say so. A callback continues
    /// work that was accepted before, and is never refused.
    private func send(to loop: Loop, _ canBeRefused: () -> Bool) {
        guard source == nil, loop.limitsPosts, let callback, canBeRefused() else {
            return loop.executeBeyondLimit { [self] in run() }
        }
        if !loop.tryExecute({ [self] in run() }), loop.refusal == nil {
            callback.cell.pointee.move(to: CallbackContext(endedBecause: .refused(.queueFull)))
        }
    }

    private func run() {
        guard let callback else { return }
        self.callback = nil
        guard let source else {
            // The step of a callback that waited for nothing only asks whether it may run.
            callback.cell.pointee.step?(callback, callback)
            return callback.release()
        }
        // A wait inside the callback finds the lane here, and runs the rest of it before it blocks.
        let trampoline = Trampoline.ofThread
        let outer = trampoline.pointee.lane
        trampoline.pointee.lane = source.opaque
        trampoline.pointee.run = FuturePointer.runPromised
        callback.cell.pointee.step?(callback, source)
        // A callback that waited has passed the lane on, with a reference of its own.
        let hasLane = trampoline.pointee.lane != nil
        trampoline.pointee.lane = outer
        // The source stops pointing to the callback before the callback may go.
        if hasLane {
            source.takeLaneBack()
        }
        callback.release()
        // After the release: what hangs on the callback goes before the next callback starts.
        if hasLane {
            source.runLane()
        } else {
            source.release()
        }
    }

    deinit {
        // The context has dropped the callback: no thread has the lane but this one.
        guard let callback else { return }
        callback.cell.pointee.step?(callback, nil)
        source?.takeLaneBack()
        callback.release()
        source?.runLane()
    }
}

extension FuturePointer {
    /// Has the step of `future` run on its context. As ``register(_:)``, this takes an object.
    ///
    /// **Thread:** the one that made the future, which is not registered anywhere.
    /// - Parameter canBeRefused: Whether it can fail because the loop is full.
    @usableFromInline
    @inline(never)
    static func start(_ future: AnyObject, canBeRefused: () -> Bool) {
        Handover(FuturePointer(Unmanaged.passRetained(future)), nil).send(canBeRefused)
    }
}
