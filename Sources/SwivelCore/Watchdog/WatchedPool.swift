// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A pool as its watchdog sees it: the work that each of its threads runs.
struct WatchedPool: Watched, @unchecked Sendable {
    // because the pointers in the words of a run are those of texts that stay.

    /// Work that a check has found.
    private struct Run {
        let work: swivel_running
        /// The time of the first check that has found it.
        let since: UInt64
        var isReported = false
    }

    private let pool: WorkerPool
    /// By worker.
    private var runs: [UInt: Run] = [:]

    init(_ pool: WorkerPool) { self.pool = pool }

    var isOver: Bool { !pool.isAlive }

    mutating func check(_ limit: UInt64) -> [Stall] {
        let (now, before) = (swivel_now_ns(), runs)
        runs = [:]
        var stalls: [Stall] = []
        for work in pool.runningWork {
            var run = Run(work: work, since: now)
            if let known = before[work.worker], known.work.begun == work.begun { run = known }
            if !run.isReported, now - run.since >= limit {
                run.isReported = true
                stalls.append(stall(run, now, isOver: false))
            }
            runs[work.worker] = run
        }
        let ended = before.filter { $1.isReported && runs[$0]?.isReported != true }
        return stalls + ended.values.map { stall($0, now, isOver: true) }
    }

    private func stall(_ run: Run, _ now: UInt64, isOver: Bool) -> Stall {
        let text = run.work.text.map { String(cString: $0) }
        let place = text.map { "\($0):\(run.work.line)" }
        return Stall(
            loop: pool.name, label: run.work.line == 0 ? text : nil,
            site: run.work.line == 0 ? CodeAddress.place(ofClosure: run.work.function) : place,
            isUnattended: false, duration: .nanoseconds(now - run.since), isOver: isOver)
    }
}

extension WorkerPool {
    /// See SwivelRuntime's `watchdog(after:_:)`.
    package func watchdog(
        after limit: Duration, _ body: @escaping @Sendable (Stall) -> Void
    ) throws(SwivelError) -> Watchdog {
        let watchdog = Watchdog()
        try watchdog.start(WatchedPool(self), after: limit, body)
        return watchdog
    }
}
