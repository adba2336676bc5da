// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore
public import SwivelDispatch

/// A dispatch queue whose timers are dispatch sources and nothing else: no loop of Swivel's takes
/// part, except in timers that wait for a `Date`.
///
/// It is there to be compared with. It has the interface and the guarantees of every context, so a
/// program can run on Dispatch alone. A timer costs a dispatch source; a `DispatchQueue` as a
/// context has its timers on `Loop.shared`'s wheel, which is cheaper. Dispatch decides the order of
/// timers that are due together.
///
/// **Thread:** any. Closures run on the queue, never inside a call.
public struct DispatchBackend: ExecutionContext, DispatchQueueContext {
    /// Where closures run.
    public let queue: DispatchQueue

    /// A context on `queue`, which may be serial or concurrent. Two on one queue are the same
    /// context.
    /// - Complexity: O(1), no allocation.
    public init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    /// Submits `work` to the queue. It runs once, and is released as soon as it has returned.
    /// - Complexity: O(1), as `async(execute:)`.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Whether the caller is running on the queue, and the queue is serial.
    public var isCurrent: Bool { queue.isCurrent }

    /// Arms a dispatch source whose handler runs the closure, on the queue.
    ///
    /// A timer without leeway is strict: Dispatch does not move it to save power. A one-shot that
    /// is due already is a block, in order with this thread's others. A cancel claims the timer
    /// against its closure's start on the queue, and releases the closure before it returns.
    ///
    /// - Parameter request: What the timer is to do.
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: As a dispatch source. The rest is O(1): an object, and two short locked
    ///   sections.
    public func arm(_ request: TimerRequest) -> TimerHandle {
        let now = DispatchTime.now().uptimeNanoseconds
        let timer = DispatchedTimer(request, now: now, on: self, in: Self.table)
        return timer.begin(Self.table.nextID(), SourceAlarm(timer, queue))
    }

    static let table = TimerTable()
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
        let source =
            source
            ?? DispatchSource.makeTimerSource(flags: leeway == 0 ? .strict : [], queue: queue)
        // Beyond 2^62, 146 years, Dispatch takes numbers for times of its other clocks.
        let time = deadline < 1 << 62 ? DispatchTime(uptimeNanoseconds: deadline) : .distantFuture
        source.schedule(deadline: time, leeway: .nanoseconds(Int(clamping: leeway)))
        if self.source == nil {
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
