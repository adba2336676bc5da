// SPDX-License-Identifier: Apache-2.0

/// The limit of a `withTimeout`, which its body may move.
///
/// **Thread:** any.
public final class Timeout: Sendable {
    private let core: TimeoutCore
    private let limit: Duration
    private let timer: LoopTimer
    private let loop: Loop
    private let end: Lock<LoopClock.Instant>

    init(_ limit: Duration, _ core: TimeoutCore, on loop: Loop) {
        self.core = core
        self.limit = limit
        self.loop = loop
        end = Lock(loop.now.advanced(by: limit))
        let notice = DropNotice(core) { $0.expire(.shutdown) }
        timer = LoopTimer(on: loop) {
            withExtendedLifetime(notice) { core.expire(.timedOut) }
        }
    }

    /// Arms the timer. False: the loop is shut down.
    func start() -> Bool { timer.arm(at: deadline) }

    /// Frees the timer.
    func stop() { timer.disarm() }

    /// When the body is cancelled, on the loop's clock.
    public var deadline: LoopClock.Instant { end.withLock { $0 } }

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
        // Armed under the lock, so that of two moves at once the later one decides where the timer
        // is. Arming runs and releases no closure.
        end.withLock { end in
            guard core.isRunning else { return false }
            end = next(end)
            return timer.arm(at: end)
        } && core.isRunning
    }
}

/// Decides whether a timeout still cancels its body.
final class TimeoutCore: Sendable {
    /// A task that is cancelled from elsewhere.
    private struct Body: @unchecked Sendable {
        // because cancelling is allowed from any thread while the task exists, and the task does
        // not end before `finish` has returned.
        let task: UnsafeCurrentTask?
    }

    private enum State {
        /// The body has not begun.
        case waiting
        case running(Body)
        /// The limit has passed. The body is being cancelled, and must not end before that is done.
        case cancelling(SwivelError.Code, UnsafeContinuation<Void, Never>?)
        /// Over, for this reason; `nil`: the body ended in time.
        case over(SwivelError.Code?)
    }

    private let state = Lock(State.waiting)

    /// Whether the limit can still pass.
    var isRunning: Bool {
        state.withLock { state in
            switch state {
            case .waiting, .running: true
            case .cancelling, .over: false
            }
        }
    }

    /// Why the body was cancelled, if it was.
    var reason: SwivelError.Code? {
        state.withLock { state in
            switch state {
            case .waiting, .running: nil
            case .cancelling(let reason, _): reason
            case .over(let reason): reason
            }
        }
    }

    /// The body starts in `task`, the current one.
    func begin(_ task: UnsafeCurrentTask?) {
        let isLate = state.withLock { state in
            guard case .waiting = state else { return true }
            state = .running(Body(task: task))
            return false
        }
        if isLate {
            task?.cancel()
        }
    }

    /// Cancels the body: the limit has passed, or the loop that keeps its time is shut down.
    func expire(_ reason: SwivelError.Code) {
        let body = state.withLock { state -> Body? in
            switch state {
            case .waiting:
                state = .over(reason)
                return nil
            case .running(let body):
                state = .cancelling(reason, nil)
                return body
            case .cancelling, .over:
                return nil
            }
        }
        guard let body else { return }
        // Runs the body's cancellation handlers, so no lock is held.
        body.task?.cancel()
        let end = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            defer { state = .over(reason) }
            if case .cancelling(_, let end) = state { return end }
            return nil
        }
        if let end {
            Errands.resume(end, with: .success(()))
        }
    }

    /// The body has ended. Returns once its task is no longer needed.
    nonisolated(nonsending) func finish() async {
        let isOver = state.withLock { state in
            switch state {
            case .waiting, .running:
                state = .over(nil)
                return true
            case .over:
                return true
            case .cancelling:
                return false
            }
        }
        guard !isOver else { return }
        await withUnsafeContinuation { (end: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                guard case .cancelling(let reason, _) = state else { return true }
                state = .cancelling(reason, end)
                return false
            }
            if isOver {
                end.resume()
            }
        }
    }
}
