// SPDX-License-Identifier: Apache-2.0

/// Decides whether a timeout still cancels its body, and when.
final class TimeoutCore: Sendable {
    private struct State {
        /// When the limit passes.
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

        var isRunning: Bool { reason == nil && !isOver }

        /// Notes why the body is cancelled. False: it was cancelled before, or has ended.
        mutating func stop(_ reason: SwivelError.Code) -> Bool {
            guard isRunning else { return false }
            self.reason = reason
            isCancelling = task != nil
            return true
        }
    }

    private let state: Lock<State>

    init(until deadline: LoopClock.Instant) { state = Lock(State(deadline: deadline)) }

    var deadline: LoopClock.Instant { state.withLock { $0.deadline } }

    /// Why the body was cancelled, if it was.
    var reason: SwivelError.Code? { state.withLock { $0.reason } }

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

    /// The timer has fired, on the loop's thread.
    func fire(_ tick: Tick) {
        guard pass(at: .now, { LoopTimer.rearm(tick, at: $0.nanoseconds) }) else { return }
        LoopTimer.countRun(tick)
        cancel()
    }

    /// Returns whether the limit passes now. If it was moved, `arm` is called with its instant.
    func pass(at now: LoopClock.Instant, _ arm: (LoopClock.Instant) -> Void) -> Bool {
        state.withLock { state in
            guard now < state.deadline else { return state.stop(.timedOut) }
            if state.isRunning { arm(state.deadline) }
            return false
        }
    }

    /// The loop that keeps the body's time is shut down.
    func end() {
        if state.withLock({ $0.stop(.shutdown) }) { cancel() }
    }

    /// Cancels the body, if it has begun. This runs its cancellation handlers, so no lock is held.
    private func cancel() {
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
        let isCancelling = state.withLock { state in
            state.isOver = true
            return state.isCancelling
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
