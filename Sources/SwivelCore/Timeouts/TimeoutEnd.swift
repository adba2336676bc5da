// SPDX-License-Identifier: Apache-2.0

/// The instant at which a limit passes, and whether it has: one lock decides between the two.
final class TimeoutEnd: Sendable {
    private struct State {
        var instant: LoopClock.Instant
        var hasPassed = false
        /// The body has ended: the limit neither passes nor moves any more.
        var isOver = false
    }

    private let state: Lock<State>

    init(_ instant: LoopClock.Instant) {
        state = Lock(State(instant: instant))
    }

    var instant: LoopClock.Instant { state.withLock { $0.instant } }

    /// The timer has fired. Returns whether the limit has passed; else the limit was moved since then,
    /// and `arm` is called with its instant.
    func pass(at now: LoopClock.Instant, _ arm: (LoopClock.Instant) -> Void) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.hasPassed = state.instant <= now
            if !state.hasPassed { arm(state.instant) }
            return state.hasPassed
        }
    }

    /// The body has ended. The timer may still fire, and is not armed again.
    func close() {
        state.withLock { $0.isOver = true }
    }

    /// Moves the instant and the timer, unless the limit has passed or the body has ended.
    func move(
        at now: LoopClock.Instant, _ next: (LoopClock.Instant) -> LoopClock.Instant,
        _ arm: (LoopClock.Instant) -> Bool
    ) -> Bool {
        // Armed under the lock, so that of two moves at once the later one decides where the timer
        // is. Arming runs and releases no closure.
        state.withLock { state in
            guard !state.hasPassed, !state.isOver, now < state.instant else { return false }
            state.instant = next(state.instant)
            return arm(state.instant)
        }
    }
}
