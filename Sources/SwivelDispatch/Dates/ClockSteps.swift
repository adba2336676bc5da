// SPDX-License-Identifier: Apache-2.0
internal import CSwivelMain
internal import Dispatch
internal import Foundation
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Announces steps of the system's wall clock.
enum ClockSteps {
    /// Calls `body` after each step, as long as the process lives. False: some may go unnoticed, or
    /// be noticed late.
    static func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Darwin)
        _ = NotificationCenter.default.addObserver(
            forName: .NSSystemClockDidChange, object: nil, queue: nil
        ) { _ in body() }
        // Whether the system posts it in a process without a run loop is not documented.
        return false
        #else
        return StepAlarm()?.watch(body) != nil
        #endif
    }
}

#if !canImport(Darwin)
/// A kernel timer that is far away, and that each step of the wall clock cancels:
/// timerfd_create(2), TFD_TIMER_CANCEL_ON_SET.
struct StepAlarm: Sendable {
    private let descriptor: Int32
    private let distance: Int

    /// An alarm; `nil` if the system refuses it.
    /// - Parameter distance: Seconds to its expiry, which counts as a step; 34 years.
    init?(distance: Int = 1 << 30) {
        self.distance = distance
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        if arm() { return }
        close(descriptor)
        return nil
    }

    private func arm() -> Bool {
        var time = itimerspec()
        clock_gettime(CLOCK_REALTIME, &time.it_value)
        time.it_value.tv_sec += time_t(distance)
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        // ECANCELED: armed, but the clock was set since then.
        return timerfd_settime(descriptor, flags, &time, nil) == 0 || errno == ECANCELED
    }

    /// Calls `body` after each step, until the source is cancelled. To be called once.
    func watch(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: .global(qos: .userInitiated))
        // The handler keeps its source alive until that is cancelled.
        source.setEventHandler { [source] in
            // The count, or ECANCELED: both mean that the clock has to be read.
            var expiries: UInt64 = 0
            _ = read(descriptor, &expiries, MemoryLayout.size(ofValue: expiries))
            // Armed before the clock is read, so that no step falls between.
            if !arm() { source.cancel() }
            body()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        return source
    }
}
#endif
