// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import SwivelCore

/// When a process may connect: one attempt at a time, after a wait that grows with each failure.
/// **Thread:** the engine's.
final class Reconnect: @unchecked Sendable {
    // because the engine's loop alone uses it.
    private let backoff: Backoff
    private let loop: Loop
    private let turn = ConcurrencyLimit(1)
    private var failures = 0
    /// The wait after the last failure, and when it ends.
    private var wait = Duration.zero
    private var earliest: LoopClock.Instant
    private var paused: CheckedContinuation<Void, Never>?

    init(_ backoff: Backoff, on loop: Loop) {
        self.backoff = backoff
        self.loop = loop
        earliest = loop.now
    }

    /// Runs `body` when no other does.
    func inTurn<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async -> R?
    ) async -> R? {
        try? await turn.run { await body() }
    }

    /// Waits until the next attempt may begin, or is no longer wanted. There is one wait at a time.
    func pause(
        isolation: isolated (any Actor)? = #isolation, while isWanted: () -> Bool = { true }
    ) async {
        var timer: TimerHandle?
        await withCheckedContinuation { waiter in
            let wait = loop.now.duration(to: earliest)
            guard wait > .zero, isWanted() else { return waiter.resume() }
            paused = waiter
            timer = loop.schedule(after: wait) { self.endPause() }
        }
        timer?.cancel()
    }

    func endPause() { paused.take()?.resume() }

    /// An attempt has failed.
    func failed() {
        failures = min(failures + 1, 64)
        wait = backoff.wait(after: failures)
        earliest = loop.now + wait
    }

    /// A session that began at this instant was lost. Others that are lost with it are no new
    /// failure. After one that has lasted longer than the wait before it, the waits begin anew.
    func lost(began: LoopClock.Instant) {
        if loop.now < earliest { return }
        if loop.now - began > wait { failures = 0 }
        failed()
    }
}
#endif
