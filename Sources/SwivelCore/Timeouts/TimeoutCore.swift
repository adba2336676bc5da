// SPDX-License-Identifier: Apache-2.0

/// Decides whether a time limit still cancels its body, and when. `withTimeout` and `withDeadline`
/// share it.
final class TimeoutCore: Sendable {
    private struct State {
        /// When the limit passes, on the clock of the loop that keeps the time.
        var deadline: LoopClock.Instant
        /// The body's task, once it has begun. Cancelling it is allowed from any thread while it
        /// exists, and it does not end before `finish` has returned.
        var task: UnsafeCurrentTask?
        /// Why the body was cancelled: the first reason counts.
        var reason: SwivelError.Code?
        /// The body has ended.
        var isOver = false
        /// The body is being cancelled, and must not end before that is done.
        var isCancelling = false
        /// The body has ended, and waits for the end of its cancel.
        var end: UnsafeContinuation<Void, Never>?
        /// The first loop was shut down, and another one keeps the time.
        var hasChangedLoops = false
        /// The timer of that loop.
        var substitute: LoopTimer?

        var isRunning: Bool { reason == nil && !isOver }

        /// Notes why the body is cancelled. False: it was cancelled before, or has ended.
        mutating func stop(_ reason: SwivelError.Code) -> Bool {
            guard isRunning else { return false }
            self.reason = reason
            isCancelling = task != nil
            return true
        }

        /// Notes that another loop is to keep the time. False: one does already, or time is up.
        mutating func changeLoops() -> Bool {
            defer { hasChangedLoops = true }
            return isRunning && !hasChangedLoops
        }
    }

    private let state: Lock<State>
    /// The deadline of a `withDeadline`; `nil`: a limit that may be moved, or the time of a clock
    /// that no loop can keep.
    let fixed: Deadline?
    /// The limit around this one: its body's task is an ancestor of this body's task.
    let outer: TimeoutCore?

    init(
        until deadline: LoopClock.Instant, fixed: Deadline? = nil, within outer: TimeoutCore? = nil
    ) {
        state = Lock(State(deadline: deadline))
        self.fixed = fixed
        self.outer = outer
    }

    var deadline: LoopClock.Instant { state.withLock { $0.deadline } }

    /// Why the body was cancelled, if it was.
    var reason: SwivelError.Code? { state.withLock { $0.reason } }

    /// Whether `task` runs the body itself, which has not ended.
    func isRunning(in task: UnsafeCurrentTask?) -> Bool {
        state.withLock { !$0.isOver && $0.task == task }
    }

    /// The body starts in `task`, the current one.
    func begin(_ task: UnsafeCurrentTask?) {
        let isLate = state.withLock { state in
            state.task = task
            return !state.isRunning
        }
        if isLate { task?.cancel() }
    }

    /// Moves the deadline and the timer, unless the limit has passed or the body has ended.
    func move(
        at now: LoopClock.Instant, _ next: (LoopClock.Instant) -> LoopClock.Instant,
        _ arm: (LoopClock.Instant) -> Bool
    ) -> Bool {
        // Armed under the lock, so that of two moves at once the later one decides where the timer
        // is. Arming runs and releases no closure.
        state.withLock { state in
            guard state.isRunning, now < state.deadline else { return false }
            state.deadline = next(state.deadline)
            return arm(state.deadline)
        }
    }

    /// Notes that another loop is to keep the time. False: one does already, or time is up.
    func changeLoops() -> Bool { state.withLock { $0.changeLoops() } }

    /// Arms `timer`, of the loop that keeps the time from now on. False: that loop is over, too.
    func arm(substitute timer: LoopTimer, leeway: Duration) -> Bool {
        state.withLock { state in
            guard state.isRunning else { return true }
            state.substitute = timer
            return timer.arm(at: state.deadline, leeway: leeway)
        }
    }

    /// Sets the deadline anew: the loop's clock and the deadline's differ.
    func adjust(to deadline: LoopClock.Instant) { state.withLock { $0.deadline = deadline } }

    /// Returns whether the limit passes now. If it was moved, `arm` is called with its instant.
    func pass(at now: LoopClock.Instant, _ arm: (LoopClock.Instant) -> Void) -> Bool {
        state.withLock { state in
            guard now < state.deadline else { return state.stop(.timedOut) }
            if state.isRunning { arm(state.deadline) }
            return false
        }
    }

    /// Cancels the body for `reason`, unless it was cancelled before or has ended.
    func stop(_ reason: SwivelError.Code) { if state.withLock({ $0.stop(reason) }) { cancel() } }

    /// Cancels the body, if it has begun. This runs its cancellation handlers, so no lock is held.
    func cancel() {
        guard let task = state.withLock({ $0.isCancelling ? $0.task : nil }) else { return }
        task.cancel()
        let end = state.withLock { state in
            state.isCancelling = false
            return state.end
        }
        if let end { Tracking.resume(end, with: .success(())) }
    }

    /// The body has ended. Returns once its task is no longer needed.
    nonisolated(nonsending) func finish() async {
        // The substitute is released outside of the lock, and its closure with it.
        let (isCancelling, _) = state.withLock { state in
            state.isOver = true
            return (state.isCancelling, state.substitute.take())
        }
        guard isCancelling else { return }
        await withUnsafeContinuation { (end: UnsafeContinuation<Void, Never>) in
            let isCancelling = state.withLock { state in
                state.end = end
                return state.isCancelling
            }
            if !isCancelling { end.resume() }
        }
    }
}
