// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension WorkerPool {
    /// Runs `wait`, which blocks the calling thread. If that is a pool's worker, another one
    /// replaces it during the wait.
    static func whileBlocked<R>(_ wait: () -> R) -> R {
        guard let worker = Thread.currentWorker, let pool = Thread.currentPool else {
            return wait()
        }
        pool.beginBlocking(worker, endlessly: false)
        defer { pool.endBlocking(worker, endlessly: false) }
        return wait()
    }

    /// The same for a `wait` that ends at the instant that it is given, at the latest. Returns its
    /// result; false at the deadline.
    static func whileBlocked(until deadline: UInt64, _ wait: (UInt64) -> Bool) -> Bool {
        guard let worker = Thread.currentWorker, let pool = Thread.currentPool else {
            return wait(deadline)
        }
        let isEndless = deadline == .max
        let watches = pool.beginBlocking(worker, endlessly: isEndless)
        defer { pool.endBlocking(worker, endlessly: isEndless) }
        return watches ? pool.watch(wait) : wait(deadline)
    }

    /// Counts the calling worker as blocked and replaces it. True: it is to watch the pool, because
    /// all workers wait, no more can start, and its own wait has no end.
    @discardableResult
    private func beginBlocking(
        _ worker: UnsafeMutablePointer<swivel_worker>, endlessly isEndless: Bool
    ) -> Bool {
        let actions = swivel__pool_begin_wait(record, worker, isEndless)
        guard actions != 0 else { return false }
        return !perform(actions) && isEndless || actions & Int32(SWIVEL_POOL_WATCH) != 0
    }

    private func endBlocking(
        _ worker: UnsafeMutablePointer<swivel_worker>, endlessly isEndless: Bool
    ) {
        perform(swivel__pool_end_wait(record, worker, isEndless))
    }

    /// Waits as the last worker that could block, and checks now and then whether any can come
    /// free.
    private func watch(_ wait: (UInt64) -> Bool) -> Bool {
        var stuckAt: UInt64 = 0
        while true {
            let actions = swivel__pool_watch(record, &stuckAt)
            if actions & Int32(SWIVEL_POOL_STUCK) != 0 { trapAsStuck() }
            perform(actions)
            // The next one that finds the pool exhausted watches it.
            let continues = actions & Int32(SWIVEL_POOL_WATCH) != 0
            if wait(continues ? swivel_now_ns() + patience : .max) { return true }
        }
    }

    private func trapAsStuck() -> Never {
        let count = metrics
        trap(
            """
            all \(count.threads) threads of the pool '\(name)' wait without a time limit, and \
            \(count.queued) closures that could end their waits are queued behind them: give the pool a \
            higher maximumThreads, nest fewer waits, or wait with a timeout. They run \(running)
            """)
    }

    func reportExhaustion() {
        Diagnostics.report(
            """
            all \(metrics.threads) threads of the pool '\(name)' wait; work that is \
            submitted runs when one of them comes free. They run \(running)
            """)
    }
}
