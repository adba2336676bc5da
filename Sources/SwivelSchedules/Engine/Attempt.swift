// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import SwivelCore

/// One attempt at a tick. **Thread:** the engine's.
final class Attempt: @unchecked Sendable {
    // because the engine's loop alone uses it.
    /// Why its job was cancelled.
    enum Cancel {
        case timeLimit
        /// The process ends.
        case drain
        /// Somebody has asked for it.
        case request
        /// Another process may have claimed the tick.
        case leaseLost
    }

    enum Outcome {
        case succeeded
        case failed(any Error)
        case cancelled(Cancel)

        var isSuccess: Bool { if case .succeeded = self { true } else { false } }
    }

    let claim: Claim
    /// The lease's name in the row; `nil`: the claim is a transaction's.
    let holder: String?
    var task: Task<Void, Never>?
    private(set) var cancel: Cancel?
    /// When the store has last confirmed its lease.
    var renewed: LoopClock.Instant
    /// Its job has returned.
    private(set) var hasEnded = false
    private var outcome: Outcome?
    private var waiter: CheckedContinuation<Outcome, Never>?
    private var endWaiter: CheckedContinuation<Void, Never>?
    private var isWaitedFor = true

    init(_ claim: Claim, holder: String? = nil, now: LoopClock.Instant) {
        self.claim = claim
        self.holder = holder
        renewed = now
    }

    /// Cancels the job. False: it is cancelled already, or has ended.
    func cancel(because reason: Cancel) -> Bool {
        if cancel != nil || hasEnded { return false }
        cancel = reason
        task?.cancel()
        return true
    }

    /// The job has returned. A success counts, also after a cancel; but not after the time limit,
    /// because a job may hide its cancellation.
    func end(_ error: (any Error)?) {
        hasEnded = true
        switch (error, cancel) {
        case (_, .timeLimit): settle(.cancelled(.timeLimit))
        case (nil, _): settle(.succeeded)
        case (.some, .some(let reason)): settle(.cancelled(reason))
        case (.some(let error), nil): settle(.failed(error))
        }
        stopWaiting()
    }

    /// The job ignores its cancellation: the tick ends without it.
    func giveUp() {
        if let cancel, !hasEnded { settle(.cancelled(cancel)) }
    }

    private func settle(_ outcome: Outcome) {
        if self.outcome != nil { return }
        self.outcome = outcome
        waiter.take()?.resume(returning: outcome)
    }

    /// Waits until the job has returned or is given up.
    func result(isolation: isolated (any Actor)? = #isolation) async -> Outcome {
        await withCheckedContinuation { waiter in
            if let outcome { waiter.resume(returning: outcome) } else { self.waiter = waiter }
        }
    }

    /// Waits until the job has returned, or until ``stopWaiting()``.
    func end(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { waiter in
            if hasEnded || !isWaitedFor { waiter.resume() } else { endWaiter = waiter }
        }
    }

    func stopWaiting() {
        isWaitedFor = false
        endWaiter.take()?.resume()
    }
}
#endif
