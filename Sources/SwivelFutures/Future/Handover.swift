// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A callback on its way to its context, with the lane of the future that it waited for.
///
/// A context may drop it: then the callback ends, and the lane goes on.
final class LaneTicket: @unchecked Sendable {
    // because it is handed from thread to thread, and never shared.
    /// Stands for a reference; `nil` once it has run.
    private var callback: FutureRef?
    /// Stands for a reference. `nil`: the callback waited for nothing, and there is no lane.
    private let source: FutureRef?

    init(_ callback: FutureRef, _ source: FutureRef?) {
        self.callback = callback
        self.source = source
    }

    func send() {
        guard let callback else { return }
        let home = callback.cell.pointee.home
        if let loop = home.loop {
            send(to: loop)
        } else if let context = home.context {
            if home.mayBeHeldUp { source?.giveLane(to: callback) }
            context.execute { [self] in run() }
        } else {
            run()
        }
    }

    /// Work that is new may be refused by the loop's limit of posts, if its future can say so. A
    /// callback goes on with work that was accepted.
    private func send(to loop: Loop) {
        guard source == nil, loop.limitsPosts, let callback, callback.canBeRefused else {
            return loop.executeBeyondLimit { [self] in run() }
        }
        if !loop.tryExecute({ [self] in run() }), loop.refusal == nil {
            callback.cell.pointee.move(to: Home(endedBecause: .refused(.queueFull)))
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
        let trampoline = Trampoline.ofThread
        let outer = trampoline.pointee.lane
        trampoline.pointee.lane = source.opaque
        trampoline.pointee.run = FutureRef.goOn
        callback.cell.pointee.step?(callback, source)
        // A callback that waited has passed the lane on, with a reference of its own.
        let isOwner = trampoline.pointee.lane != nil
        trampoline.pointee.lane = outer
        if isOwner {
            source.takeLaneBack()
        }
        callback.release()
        if isOwner {
            source.beginLane()
        } else {
            source.release()
        }
    }

    deinit {
        guard let callback else { return }
        callback.cell.pointee.step?(callback, nil)
        source?.takeLaneBack()
        callback.release()
        source?.beginLane()
    }
}
