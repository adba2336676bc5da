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
        var wait = backoff.base
        for _ in 1..<failures where wait < backoff.limit { wait = wait * backoff.factor }
        earliest = loop.now + min(wait, backoff.limit) * Double.random(in: backoff.jitter)
    }

    /// A session that began at this instant has ended. Others that end with it are no new failure.
    func lost(began: LoopClock.Instant) {
        if loop.now < earliest { return }
        if loop.now - began > backoff.limit { failures = 0 }
        failed()
    }
}
#endif
