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
        guard let home = callback?.cell.pointee.home else { return }
        if let loop = home.loop {
            loop.execute { [self] in run() }
        } else if let context = home.context {
            context.execute { [self] in run() }
        } else {
            run()
        }
    }

    private func run() {
        guard let callback else { return }
        self.callback = nil
        // The step of a callback that waited for nothing only asks whether it may run.
        callback.cell.pointee.step?(callback, source ?? callback)
        callback.release()
        source?.beginLane()
    }

    deinit {
        guard let callback else { return }
        callback.cell.pointee.step?(callback, nil)
        callback.release()
        source?.beginLane()
    }
}
