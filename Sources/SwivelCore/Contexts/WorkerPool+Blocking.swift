// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension WorkerPool {
    /// Runs `wait`, which blocks the calling thread. If that is a pool's worker, another one
    /// replaces it meanwhile.
    static func whileBlocked<R>(_ wait: () -> R) -> R {
        guard let pool = Thread.currentPool else {
            return wait()
        }
        pool.beginBlocking(endlessly: false)
        defer { pool.endBlocking(endlessly: false) }
        return wait()
    }

    /// Runs `wait`, which blocks the calling thread until the instant that it is given, at the
    /// latest. If that is a pool's worker, another one replaces it meanwhile.
    ///
    /// - Returns: The result of `wait`; false at the deadline.
    static func whileBlocked(until deadline: UInt64, _ wait: (UInt64) -> Bool) -> Bool {
        guard let pool = Thread.currentPool else {
            return wait(deadline)
        }
        let isEndless = deadline == .max
        let watches = pool.beginBlocking(endlessly: isEndless) && isEndless
        defer { pool.endBlocking(endlessly: isEndless) }
        return watches ? pool.watch(wait) : wait(deadline)
    }

    /// Counts the calling worker as blocked and replaces it. True: all workers are blocked now, and
    /// no more can start.
    @discardableResult
    private func beginBlocking(endlessly isEndless: Bool) -> Bool {
        let (starts, reports) = state.withSleepers { state, sleepers in
            let starts = state.beginBlocking(endlessly: isEndless, sleepers)
            return (starts, state.claimReport())
        }
        if starts {
            startThread()
        } else if reports {
            reportExhaustion()
        }
        return state.withLock { $0.isExhausted }
    }

    private func endBlocking(endlessly isEndless: Bool) {
        state.withLock { $0.endBlocking(endlessly: isEndless) }
    }

    /// Waits as the last worker that could block, and checks now and then whether any can come
    /// free.
    private func watch(_ wait: (UInt64) -> Bool) -> Bool {
        var stuckAt: Int?
        while true {
            let (isOver, isStuck, starts) = state.withSleepers { state, sleepers in
                let isStuck = state.stuckAt != nil && state.stuckAt == stuckAt
                stuckAt = state.stuckAt
                let starts = stuckAt != nil && !isStuck && state.wakeOrClaimThread(sleepers)
                return (!state.isExhausted, isStuck, starts)
            }
            if isStuck {
                trapAsStuck()
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

    private func trapAsStuck() -> Never {
        let (threads, queued) = state.withLock { ($0.threads, $0.queue.count) }
        trap(
            """
            all \(threads) threads of the pool '\(name)' wait without a time limit, and \
            \(queued) closures that could end their waits are queued behind them: give the pool a \
            higher maximumThreads, nest fewer waits, or wait with a timeout
            """)
    }

    func reportExhaustion() {
        Diagnostics.report(
            """
            all \(state.withLock { $0.limit }) threads of the pool '\(name)' wait; work that is \
            submitted runs when one of them comes free
            """)
    }
}
