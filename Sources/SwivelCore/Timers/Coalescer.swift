// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Many requests, one run: a debounce with a handle.
///
/// Each ``call()`` moves the run to `after` from now; with `maxWait` a run comes at the latest that
/// long after the first call of a series. ``ExecutionContext/once(_:after:maxWait:leeway:_:)`` is the
/// form that needs no object.
public final class Coalescer: Sendable {
    private let core: Core
    let timer: LoopTimer

    /// What the timer's closure needs: it must not retain the timer.
    ///
    /// The timer only says when to look: threads may arm it in another order than they have called, or
    /// after the series is over that they have called in. When a run is due is told by the series and
    /// by `wanted`, and the timer is never armed for later than that while a run is pending.
    private final class Core: Sendable {
        let context: any ExecutionContext
        let isLoop: Bool
        /// In nanoseconds.
        let delay: UInt64
        /// In nanoseconds; `nil`: no limit.
        let maxWait: UInt64?
        let work: @Sendable () -> Void
        /// The series, which a run ends when it starts, so that one which was handed to a context is
        /// void once it was cancelled. A call before that belongs to the series: the run starts after
        /// it.
        let series = Atomic<UInt64>(CoalescerSeries.none.bits)
        /// The latest instant that a call has asked for. Each call raises it before it joins a series.
        let wanted = Atomic<UInt64>(0)

        init(
            _ context: any ExecutionContext, _ delay: Duration, _ maxWait: Duration?,
            _ work: @escaping @Sendable () -> Void
        ) {
            self.context = context
            isLoop = context is Loop
            self.delay = delay.nanosecondsRoundedUp
            self.maxWait = maxWait?.nanosecondsRoundedUp
            self.work = work
        }

        /// Joins the pending series, or begins one, and tells when its run is due at the latest.
        func call(now: UInt64) -> UInt64 {
            let (sum, overflow) = now.addingReportingOverflow(delay)
            let wanted = overflow ? .max : sum
            self.wanted.max(wanted, ordering: .relaxed)
            var found = CoalescerSeries(bits: series.load(ordering: .relaxed))
            while true {
                let joined = found.isPending ? found : found.next(beginning: now)
                // Also where it changes nothing: what came before this call comes before the run.
                let (exchanged, original) = series.compareExchange(
                    expected: found.bits, desired: joined.bits, ordering: .acquiringAndReleasing)
                if exchanged { return due(joined, wanted: wanted, now: now) }
                found = CoalescerSeries(bits: original)
            }
        }

        private func due(_ series: CoalescerSeries, wanted: UInt64, now: UInt64) -> UInt64 {
            guard let maxWait else { return wanted }
            return min(wanted, series.limit(maxWait, now: now))
        }

        /// The timer's instant has come: runs the work, on its context, if it is due.
        func fire(_ tick: Tick) {
            guard let pending else { return }
            let now = LoopClock.Instant.now.nanoseconds
            let due = self.due(pending, wanted: wanted.load(ordering: .relaxed), now: now)
            if due > now {
                LoopTimer.rearm(tick, at: due)
            } else if isLoop {
                run(pending)
            } else {
                context.execute { self.run(pending) }
            }
        }

        func run(_ pending: CoalescerSeries) {
            if end(pending) { work() }
        }

        /// Whether this call has ended the series.
        private func end(_ pending: CoalescerSeries) -> Bool {
            series.compareExchange(
                expected: pending.bits, desired: pending.over.bits,
                ordering: .acquiringAndReleasing
            ).exchanged
        }

        /// The series whose run is pending.
        var pending: CoalescerSeries? {
            let found = CoalescerSeries(bits: series.load(ordering: .acquiring))
            return found.isPending ? found : nil
        }

        /// Drops what is pending. Returns whether anything was.
        func drop() -> Bool {
            while let pending {
                if end(pending) { return true }
            }
            return false
        }
    }

    /// A coalescer.
    ///
    /// - Parameters:
    ///   - context: Where `work` runs. On a loop a call costs a few nanoseconds; other contexts keep
    ///     their time on ``Loop/shared``.
    ///   - delay: Time from the last call to the run.
    ///   - maxWait: Time from a series' first call to its run at the latest; `nil`: no limit.
    ///   - work: What runs.
    public init(
        on context: some ExecutionContext, after delay: Duration, maxWait: Duration? = nil,
        _ work: @escaping @Sendable () -> Void
    ) {
        let core = Core(context, delay, maxWait, work)
        self.core = core
        timer = LoopTimer(on: (context as? Loop) ?? .shared, ticking: { core.fire($0) })
    }

    /// Asks for a run, and moves it if one is pending.
    ///
    /// **Thread:** any.
    /// - Returns: False: the loop is shut down.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func call() -> Bool {
        let isArmed = timer.arm(at: core.call(now: timer.now))
        if !isArmed { _ = core.drop() }
        return isArmed
    }

    /// Starts what is pending in the context's next turn, and returns at once: it does not wait for the
    /// run, as ``flushAndWait()`` does.
    ///
    /// **Thread:** any.
    /// - Returns: False: nothing was pending.
    @discardableResult
    public func flush() -> Bool {
        guard let pending = hasten() else { return false }
        core.context.executeBeyondLimit { [core] in core.run(pending) }
        return true
    }

    /// As ``flush()``, and waits until the run has ended, if there was one.
    ///
    /// **Thread:** any task.
    public func flushAndWait() async {
        guard let pending = hasten() else { return }
        await withCheckedContinuation { continuation in
            let end = End(continuation)
            core.context.executeBeyondLimit { [core] in
                core.run(pending)
                end.hasCome()
            }
        }
    }

    /// Stops the wait for the pending run, and tells its series. The timer comes first: a call that
    /// begins the next series arms it anew.
    private func hasten() -> CoalescerSeries? {
        timer.disarm()
        return core.pending
    }

    /// The end of a run, which also comes when the context releases it without running it.
    private final class End: Sendable {
        private let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = continuation
        }

        /// Keeps this alive until the work has run.
        func hasCome() {}

        deinit { continuation.resume() }
    }

    /// Drops what is pending.
    ///
    /// **Thread:** any.
    /// - Returns: Whether a run was pending; it does not start any more.
    @discardableResult
    public func cancel() -> Bool {
        timer.disarm()
        return core.drop()
    }

    /// Whether a run is pending. **Thread:** any.
    public var isPending: Bool {
        core.pending != nil && !timer.isOver
    }
}
