// SPDX-License-Identifier: Apache-2.0

/// The limit of a `withTimeout`, which its body may move.
///
/// **Thread:** any.
public final class Timeout: Sendable {
    private let core: TimeoutCore
    private let limit: Duration
    private let timer: LoopTimer
    private let loop: Loop
    private let end: TimeoutEnd

    init(_ limit: Duration, _ core: TimeoutCore, on loop: Loop) {
        self.core = core
        self.limit = limit
        self.loop = loop
        let end = TimeoutEnd(loop.now.advanced(by: limit))
        self.end = end
        let notice = DropNotice(core) { $0.expire(.shutdown) }
        timer = LoopTimer(
            on: loop,
            deciding: { tick in
                withExtendedLifetime(notice) {
                    let hasPassed = end.pass(at: .now) {
                        LoopTimer.rearm(tick, at: $0.nanoseconds)
                    }
                    if hasPassed {
                        LoopTimer.countRun(tick)
                        core.expire(.timedOut)
                    }
                }
            })
    }

    /// Arms the timer. False: the loop is shut down.
    func start() -> Bool { timer.arm(at: deadline) }

    /// The body has ended. Frees the timer, for good.
    func stop() {
        end.close()
        timer.disarm()
    }

    /// When the body is cancelled, on the loop's clock.
    public var deadline: LoopClock.Instant { end.instant }

    /// Whether the limit has passed, and the body has been cancelled for it.
    public var isExpired: Bool { core.reason != nil }

    /// Moves the deadline.
    ///
    /// - Parameter duration: Added to the deadline. A negative one brings it nearer.
    /// - Returns: False if it has passed already, or the body has ended.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func extend(by duration: Duration) -> Bool {
        move { $0.advanced(by: duration) }
    }

    /// Starts the whole limit again from now: for a body that has made progress.
    ///
    /// - Returns: False if it has passed already, or the body has ended.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func restart() -> Bool {
        let deadline = loop.now.advanced(by: limit)
        return move { _ in deadline }
    }

    private func move(_ next: (LoopClock.Instant) -> LoopClock.Instant) -> Bool {
        end.move(at: loop.now, next) { timer.arm(at: $0) }
    }
}

/// Decides whether a timeout still cancels its body.
final class TimeoutCore: Sendable {
    private struct State {
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
    }

    private let state = Lock(State())

    /// Why the body was cancelled, if it was.
    var reason: SwivelError.Code? { state.withLock { $0.reason } }

    /// The body starts in `task`, the current one.
    func begin(_ task: UnsafeCurrentTask?) {
        let isLate = state.withLock { state in
            state.task = task
            return !state.isRunning
        }
        if isLate {
            task?.cancel()
        }
    }

    /// Cancels the body: the limit has passed, or the loop that keeps its time is shut down.
    func expire(_ reason: SwivelError.Code) {
        let task = state.withLock { state -> UnsafeCurrentTask? in
            guard state.isRunning else { return nil }
            state.reason = reason
            state.isCancelling = state.task != nil
            return state.task
        }
        guard let task else { return }
        // Runs the body's cancellation handlers, so no lock is held.
        task.cancel()
        let end = state.withLock { state in
            state.isCancelling = false
            return state.end
        }
        if let end {
            Tracking.resume(end, with: .success(()))
        }
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
            if !isCancelling {
                end.resume()
            }
        }
    }
}
