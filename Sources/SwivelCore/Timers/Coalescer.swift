// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Many requests, one run: a debounce with a handle.
///
/// Each ``call()`` moves the run to `after` from now. With `maxWait`, a run starts no later than
/// that after the first call of a series.
/// ``ExecutionContext/once(_:after:maxWait:leeway:label:_:)`` does the same without an object.
public final class Coalescer: Sendable {
    private let core: Core
    let timer: LoopTimer

    /// The part that the timer's closure retains: it must not retain the timer.
    ///
    /// The timer only says when to look: threads may arm it in another order than that of their
    /// calls, or after the series of their calls is over. The series and `wanted` decide when a run
    /// is due, and while one is pending the timer is never armed for a later instant.
    private final class Core: Sendable {
        let context: any ExecutionContext
        let isLoop: Bool
        /// In nanoseconds.
        let delay: UInt64
        /// In nanoseconds; `nil`: no limit.
        let maxWait: UInt64?
        let work: @Sendable () -> Void
        /// The series. A run ends it when it starts, so a run that is on its way to a context is
        /// void once it was cancelled. Calls before the run's start belong to its series: the run
        /// sees what was done before them.
        let series = Atomic<UInt64>(CoalescerSeries.none.bits)
        /// The latest instant that a call has asked for, in nanoseconds. Each call raises it before
        /// it joins a series.
        let wanted = Atomic<UInt64>(0)
        /// The latest series that the timer has handed to a context. A slow one gets it once.
        private let handed = Atomic<UInt64>(CoalescerSeries.none.bits)
        private let runs = Lock(CoalescerRuns())

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

        /// Joins the pending series, or begins one. Returns the latest instant at which its run is
        /// due.
        func call(now: UInt64) -> UInt64 {
            let (sum, overflow) = now.addingReportingOverflow(delay)
            let wanted = overflow ? .max : sum
            self.wanted.max(wanted, ordering: .relaxed)
            var found = CoalescerSeries(bits: series.load(ordering: .relaxed))
            while true {
                let joined = found.isPending ? found : found.next(beginning: now)
                // Also where it changes nothing: it orders what came before this call before the
                // run.
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
            } else if handed.exchange(pending.bits, ordering: .relaxed) != pending.bits {
                // A context that is full, or over, drops the run.
                let notice = DropNotice(self) { $0.settle(pending) {} }
                context.execute { notice.dismiss().run(pending) }
            }
        }

        func run(_ pending: CoalescerSeries) {
            settle(pending, work)
        }

        /// Ends the series, unless another closure has, and with it the waits for it. `body` runs if
        /// this one has.
        private func settle(_ pending: CoalescerSeries, _ body: () -> Void) {
            runs.withLock { $0.begin(pending) }
            if end(pending) { body() }
            runs.withLock { $0.end(pending) }.forEach { Errands.resume($0, with: .success(())) }
        }

        /// Has the context run the pending work in its next turn, if there is any.
        func hasten(_ pending: CoalescerSeries) {
            let notice = DropNotice(self) { $0.settle(pending) {} }
            context.executeBeyondLimit { notice.dismiss().run(pending) }
        }

        /// Keeps a task until the runs under way and the pending one have ended.
        func wait(_ task: CoalescerRuns.Waiting, pending: CoalescerSeries?) {
            if !runs.withLock({ $0.wait(task, pending: pending) }) { task.resume() }
            if let pending { hasten(pending) }
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

    /// A coalescer without a pending run.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - context: Where `work` runs. On a loop a call costs a few nanoseconds; other contexts
    ///     keep their time on ``Loop/shared``.
    ///   - delay: Time from the last call to the run.
    ///   - maxWait: Longest time from a series' first call to its run; `nil`: no limit.
    ///   - label: Names the closure to a ``Watchdog``, and the timer in
    ///     ``Loop/pending(limit:file:line:)``.
    ///   - work: Runs on the context. Released with the coalescer.
    /// - Complexity: O(1), a few allocations.
    public init(
        on context: some ExecutionContext, after delay: Duration, maxWait: Duration? = nil,
        label: StaticString = "Coalescer", _ work: @escaping @Sendable () -> Void
    ) {
        let core = Core(context, delay, maxWait, work)
        self.core = core
        timer = LoopTimer(
            on: (context as? Loop) ?? .shared, label: label, ticking: { core.fire($0) })
    }

    /// Asks for a run, and moves it if one is pending.
    ///
    /// **Thread:** any.
    /// - Returns: False if the loop is shut down.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func call() -> Bool {
        let isArmed = timer.arm(at: core.call(now: timer.now))
        if !isArmed { _ = core.drop() }
        return isArmed
    }

    /// Moves the pending run to the context's next turn and returns at once. ``flushAndWait()``
    /// waits for the run.
    ///
    /// **Thread:** any.
    /// - Returns: False if no run was pending.
    /// - Complexity: O(1), a post.
    @discardableResult
    public func flush() -> Bool {
        guard let pending = hasten() else { return false }
        core.hasten(pending)
        return true
    }

    /// Moves the pending run to the context's next turn and waits until it has ended, and with it
    /// every run that is under way. Returns at once if there is none of them.
    ///
    /// **Thread:** any task.
    /// - Complexity: O(n) in the runs under way, of which a loop has one; a post.
    public func flushAndWait() async {
        let pending = hasten()
        await withUnsafeContinuation { core.wait($0, pending: pending) }
    }

    /// Disarms the timer of the pending run, and returns its series. The timer comes first: a call
    /// that begins the next series arms it again.
    private func hasten() -> CoalescerSeries? {
        timer.disarm()
        return core.pending
    }

    /// Drops the pending run.
    ///
    /// **Thread:** any.
    /// - Returns: Whether a run was pending. It will not start.
    /// - Complexity: O(1) without allocation.
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
