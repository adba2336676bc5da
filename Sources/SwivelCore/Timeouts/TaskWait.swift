// SPDX-License-Identifier: Apache-2.0

/// One task's waits for instants of a loop, one after another, in a single node of its wheel.
///
/// The node lies there while the task waits: a cancel, the instant and the loop's end all free it at
/// once.
final class TaskWait: Sendable {
    /// What ended a wait.
    enum Outcome: Sendable {
        /// The instant has come.
        case reached
        /// The task, or whoever called ``end(_:)``, cancelled it. There is no further wait.
        case cancelled
        /// The loop is shut down. There is no further wait.
        case shutdown
    }

    private enum State {
        case idle
        case waiting(UnsafeContinuation<Outcome, Never>)
        case over(Outcome)
    }

    /// What the timer's closure needs: it must not retain the timer.
    private final class Core: Sendable {
        private let state = Lock(State.idle)

        /// Why there is no further wait, if so.
        var end: Outcome? {
            state.withLock { state in
                if case .over(let outcome) = state { outcome } else { nil }
            }
        }

        /// Begins a wait. Returns why it cannot begin, if so.
        func begin(_ task: UnsafeContinuation<Outcome, Never>) -> Outcome? {
            state.withLock { state in
                if case .over(let outcome) = state { return outcome }
                state = .waiting(task)
                return nil
            }
        }

        /// Ends the wait that is under way; one that is not idle afterwards is over for good.
        func finish(_ outcome: Outcome) {
            let task = state.withLock { state -> UnsafeContinuation<Outcome, Never>? in
                switch (state, outcome) {
                case (.over, _), (.idle, .reached):
                    return nil
                case (.idle, _):
                    state = .over(outcome)
                    return nil
                case (.waiting(let task), .reached):
                    state = .idle
                    return task
                case (.waiting(let task), _):
                    state = .over(outcome)
                    return task
                }
            }
            if let task {
                Errands.resume(task, with: .success(outcome))
            }
        }
    }

    private let core: Core
    private let timer: LoopTimer

    /// Waits for instants of `loop`, none yet.
    init(on loop: Loop) {
        let core = Core()
        let notice = ReleaseNotice { core.finish(.shutdown) }
        self.core = core
        timer = LoopTimer(on: loop) {
            notice.keep()
            core.finish(.reached)
        }
    }

    /// Waits until `deadline`. One task waits at a time. **Thread:** any.
    nonisolated(nonsending) func wait(
        until deadline: LoopClock.Instant, leeway: Duration = .zero
    ) async -> Outcome {
        defer { Errands.awake(on: timer.loop) }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { task in
                Errands.fallAsleep(on: timer.loop)
                if let end = core.begin(task) {
                    task.resume(returning: end)
                } else if !timer.arm(at: deadline, leeway: leeway) {
                    core.finish(.shutdown)
                } else if core.end != nil {
                    timer.disarm()  // It was ended before the timer was armed.
                }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    /// Why there is no further wait, if so.
    var ended: Outcome? { core.end }

    /// Ends the wait that is under way, and all further ones. **Thread:** any.
    func end(_ outcome: Outcome) {
        core.finish(outcome)
        timer.disarm()
    }

    /// Moves the wait that is under way, if there is one. **Thread:** any.
    func move(to deadline: LoopClock.Instant) {
        if timer.isArmed {
            timer.arm(at: deadline)
        }
    }
}

/// Tells when a closure that captures it is released.
final class ReleaseNotice: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Makes the closure that calls this capture the notice.
    func keep() {}

    deinit { body() }
}

extension SwivelError {
    /// What a wait throws when its loop ends.
    static var shutDown: SwivelError {
        SwivelError(.shutdown, "the loop that keeps the time of this wait is shut down")
    }
}
