// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension WorkerPool {
    /// Runs `wait`, which blocks the calling thread. If that is a pool's worker, another one
    /// replaces it during the wait. `wait` gets the pool that it is to watch, because all workers
    /// wait, no more can start, and its own wait has no end.
    static func whileBlocked<R>(endlessly: Bool = false, _ wait: (WorkerPool?) -> R) -> R {
        guard let worker = Thread.currentWorker, let pool = Thread.currentPool
        else { return wait(nil) }
        let actions = swivel__pool_begin_wait(pool.record, worker, endlessly)
        defer { pool.perform(swivel__pool_end_wait(pool.record, worker, endlessly)) }
        let isRefused = !pool.perform(actions)
        let watches = isRefused && endlessly || actions & Int32(SWIVEL_POOL_WATCH) != 0
        return wait(watches ? pool : nil)
    }

    /// Waits as the last worker that could block, and checks now and then whether any can come
    /// free. `wait` ends at the instant that it is given, at the latest.
    func watch(_ wait: (UInt64) -> Bool) -> Bool {
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
            submitted waits until one of them is free. They run \(running)
            """)
    }

    /// Starts the thread that checks which workers are blocked. It runs no closures, so that none
    /// can hold it up, and ends when there was nothing to check for `idleLimit`.
    func startMonitor() {
        let isStarted = Thread.start(name: "swivel.monitor") { [self] in
            var actions: Int32 = 0
            while actions & Int32(SWIVEL_POOL_END) == 0 {
                actions = swivel__pool_monitor(record, idleLimit)
                if actions != 0 { perform(actions) }
            }
        }
        // A push that finds all workers busy tries again.
        if !isStarted { swivel__pool_monitor_refused(record) }
    }

    /// The work of the workers, for reports, the most frequent first: `"render" (2), server+0x1b`.
    var running: String {
        let counts = Dictionary(runningWork.map { (Self.name(of: $0), 1) }, uniquingKeysWith: +)
        let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = names.prefix(8).map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value))" }
        return shown.joined(separator: ", ") + (names.count > shown.count ? ", and others" : "")
    }

    /// The work of the workers, of at most 256 of them.
    var runningWork: [swivel_running] {
        let most = 256
        return [swivel_running](unsafeUninitializedCapacity: most) { buffer, count in
            guard let first = buffer.baseAddress else { return }
            count = Int(swivel__pool_running(record, first, UInt32(most)))
        }
    }

    private static func name(of running: swivel_running) -> String {
        guard let text = running.text.map({ String(cString: $0) })
        else { return CodeAddress.place(ofClosure: running.function) ?? "a callback of a future" }
        return running.line == 0 ? "\"\(text)\"" : "\(text):\(running.line)"
    }
}

extension Thread {
    /// Runs `body`, which reports name by `text` if the calling thread is a pool's worker. `text`
    /// is the file of a call if there is a `line`, else a label.
    static func running<R>(_ text: StaticString, line: UInt = 0, _ body: () -> R) -> R {
        guard let worker = currentWorker, text.hasPointerRepresentation else { return body() }
        let before = swivel__worker_name(worker, text.utf8Start, UInt64(line))
        defer { _ = swivel__worker_name(worker, before.text, before.line) }
        return body()
    }

    /// Notes that the calling thread is about to run the closure, if it is a pool's worker.
    static func note(_ work: @autoclosure () -> swivel_work) {
        if let worker = currentWorker { swivel__worker_note(worker, UInt64(work().function)) }
    }
}
