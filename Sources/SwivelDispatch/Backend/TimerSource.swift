// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// A dispatch source that is a timer.
struct TimerSource: @unchecked Sendable {  // because Dispatch guards its sources itself
    private let timer: any DispatchSourceTimer

    /// A source that is neither set nor active.
    init(on queue: DispatchQueue, leeway: UInt64) {
        timer = DispatchSource.makeTimerSource(flags: leeway == 0 ? .strict : [], queue: queue)
    }

    /// Sets the source to fire at `deadline`, then each `interval` nanoseconds; just once if that
    /// is 0.
    func set(deadline: UInt64, interval: UInt64, leeway: UInt64) {
        timer.schedule(
            deadline: DispatchTime(deadline: deadline),
            repeating: interval == 0 ? .never : .nanoseconds(Int(clamping: interval)),
            leeway: .nanoseconds(Int(clamping: leeway)))
    }

    /// Starts the source, once and for all.
    func activate(_ handler: @escaping @Sendable () -> Void) {
        timer.setEventHandler(handler: handler)
        timer.activate()
    }

    /// Stops the source; one that was never active too, which Dispatch does not let go otherwise.
    func cancel() {
        timer.cancel()
    }
}

extension DispatchTime {
    /// Beyond this Dispatch takes numbers for times of its other clocks; it is 146 years.
    private static let limit: UInt64 = 1 << 62

    fileprivate init(deadline: UInt64) {
        self = deadline < Self.limit ? DispatchTime(uptimeNanoseconds: deadline) : .distantFuture
    }
}
