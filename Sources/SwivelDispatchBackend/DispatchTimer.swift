// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

extension DispatchBackend {
    static let table = TimerTable()

    func makeTimer(_ request: TimerRequest) -> TimerHandle {
        let now = DispatchTime.now().uptimeNanoseconds
        let timer = DispatchedTimer(request, now: now, on: self, in: Self.table)
        return timer.begin(Self.table.nextID(), SourceAlarm(timer, queue))
    }
}

/// A dispatch source that keeps the time of a timer, on the queue where its closure runs.
private final class SourceAlarm: TimerAlarm, @unchecked Sendable {
    // because the timer's lock guards the source.
    /// The source, or a block on the queue, retains the timer while it is pending.
    private unowned let timer: DispatchedTimer
    private let queue: DispatchQueue
    private var source: (any DispatchSourceTimer)?

    init(_ timer: DispatchedTimer, _ queue: DispatchQueue) {
        self.timer = timer
        self.queue = queue
    }

    var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    func deadline(after delay: UInt64) -> UInt64 {
        let (sum, isBeyond) = now.addingReportingOverflow(delay)
        return isBeyond ? .max : sum
    }

    func set(at deadline: UInt64, leeway: UInt64) -> Bool {
        let timer = timer
        guard deadline > 0 else {
            queue.async { timer.fireHere() }
            return true
        }
        let isNew = source == nil
        let source =
            self.source
            ?? DispatchSource.makeTimerSource(flags: leeway == 0 ? .strict : [], queue: queue)
        source.schedule(
            deadline: DispatchTime(deadline: deadline),
            leeway: .nanoseconds(Int(clamping: leeway)))
        if isNew {
            self.source = source
            source.setEventHandler { timer.fireHere() }
            source.activate()
        }
        return true
    }

    func hold() {}

    func count(missed: UInt64) {}

    func end(isCancelled: Bool) {
        source?.cancel()
        source = nil
    }
}

extension DispatchTime {
    /// Beyond this Dispatch takes numbers for times of its other clocks; it is 146 years.
    private static let limit: UInt64 = 1 << 62

    fileprivate init(deadline: UInt64) {
        self = deadline < Self.limit ? DispatchTime(uptimeNanoseconds: deadline) : .distantFuture
    }
}
