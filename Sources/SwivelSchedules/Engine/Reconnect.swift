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

    /// Waits until the next attempt may begin.
    func pause(isolation: isolated (any Actor)? = #isolation) async {
        let wait = loop.now.duration(to: earliest)
        guard wait > .zero else { return }
        // There is one at a time.
        let timer = loop.schedule(after: wait) { self.endPause() }
        await withCheckedContinuation { paused = $0 }
        timer.cancel()
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
