// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension WorkerPool {
    /// Runs `wait`, which blocks the calling thread for a time of its own; if that is a pool's worker,
    /// it is replaced meanwhile.
    static func whileBlocked<R>(_ wait: () -> R) -> R {
        guard let pool = Thread.currentPool else {
            return wait()
        }
        pool.beginBlocking(endlessly: false)
        defer { pool.endBlocking(endlessly: false) }
        return wait()
    }

    /// Runs `wait`, which blocks the calling thread until an instant at the latest, which it is given;
    /// if that is a pool's worker, it is replaced meanwhile.
    ///
    /// - Returns: What `wait` returns; false at the deadline.
    static func whileBlocked(until deadline: UInt64, _ wait: (UInt64) -> Bool) -> Bool {
        guard let pool = Thread.currentPool else {
            return wait(deadline)
        }
        let isEndless = deadline == .max
        let watches = pool.beginBlocking(endlessly: isEndless) && isEndless
        defer { pool.endBlocking(endlessly: isEndless) }
        return watches ? pool.watch(wait) : wait(deadline)
    }

    /// Counts the calling worker as blocked and replaces it. True: all workers are now, and there will
    /// be no more.
    @discardableResult
    private func beginBlocking(endlessly isEndless: Bool) -> Bool {
        let (starts, reports) = parker.withLock {
            state.value.blocked += 1
            state.value.endless += isEndless ? 1 : 0
            let starts = state.value.queue.isEmpty ? false : wakeOrClaimThread()
            return (starts, claimReport())
        }
        if starts {
            startThread()
        } else if reports {
            reportExhaustion()
        }
        return parker.withLock { isExhausted }
    }

    private func endBlocking(endlessly isEndless: Bool) {
        parker.withLock {
            state.value.blocked -= 1
            state.value.endless -= isEndless ? 1 : 0
            state.value.progress += 1
        }
    }

    /// Under the lock: whether no thread is left that could run work, nor can be had.
    private var isExhausted: Bool {
        state.value.blocked == state.value.threads
            && (state.value.threads >= limit || state.value.isRefused)
    }

    /// Waits as the last worker that blocked, and looks now and then whether any can come free.
    private func watch(_ wait: (UInt64) -> Bool) -> Bool {
        var stuckAt: Int?
        while true {
            let (isOver, starts) = parker.withLock {
                let isStuck =
                    isExhausted && state.value.endless == state.value.blocked
                    && !state.value.queue.isEmpty
                refuseIf(isStuck && stuckAt == state.value.progress)
                stuckAt = isStuck ? state.value.progress : nil
                let starts = isStuck && wakeOrClaimThread()
                return (!isExhausted, starts)
            }
            if starts {
                // The system may have threads again.
                startThread()
            }
            // The next one that finds the pool exhausted watches it.
            if wait(isOver ? .max : swivel_now_ns() + patience) {
                return true
            }
        }
    }

    private func refuseIf(_ isStuck: Bool) {
        check(
            !isStuck,
            """
            all \(state.value.threads) threads of the pool '\(name)' wait without a time limit, and \
            \(state.value.queue.count) closures that could end their waits are queued behind them: \
            give the pool a higher maximumThreads, nest fewer waits, or wait with a timeout
            """)
    }

    /// Under the lock: whether this is the first time that work waits for threads that all wait.
    func claimReport() -> Bool {
        let isDue = !state.value.hasReported && isExhausted && !state.value.queue.isEmpty
        state.value.hasReported = state.value.hasReported || isDue
        return isDue
    }

    func reportExhaustion() {
        Diagnostics.report(
            """
            all \(limit) threads of the pool '\(name)' wait; work that is submitted runs when one of \
            them comes free
            """)
    }
}
