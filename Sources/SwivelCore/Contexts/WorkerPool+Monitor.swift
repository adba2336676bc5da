// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension WorkerPool {
    /// Starts the thread that checks which workers are blocked. It runs no closures, so that none
    /// can hold it up, and it ends when there was nothing to check for as long as a worker may be
    /// idle.
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

    /// The work of the workers, for reports: such as `"render" (2), server+0x1a2b`.
    var running: String {
        let most = 256
        let running = [swivel_running](unsafeUninitializedCapacity: most) { buffer, count in
            guard let first = buffer.baseAddress else { return }
            count = Int(swivel__pool_running(record, first, UInt32(most)))
        }
        var names: [(name: String, count: Int)] = []
        for name in running.map(Self.name) {
            if let index = names.firstIndex(where: { $0.name == name }) {
                names[index].count += 1
            } else {
                names.append((name, 1))
            }
        }
        let shown = names.prefix(8).map { $0.count == 1 ? $0.name : "\($0.name) (\($0.count))" }
        return shown.joined(separator: ", ") + (names.count > shown.count ? ", and others" : "")
    }

    private static func name(of running: swivel_running) -> String {
        guard let text = running.text.map({ String(cString: $0) }) else {
            return CodeAddress.place(ofClosure: running.function) ?? "a callback of a future"
        }
        return running.line == 0 ? "\"\(text)\"" : "\(text):\(running.line)"
    }
}

extension Thread {
    /// Runs `body`, which reports name by `text` if the calling thread is a pool's worker. `text` is
    /// the file of a call if there is a `line`, else a label.
    static func running<R>(_ text: StaticString, line: UInt = 0, _ body: () -> R) -> R {
        guard let worker = currentWorker, text.hasPointerRepresentation else { return body() }
        let before = swivel__worker_name(worker, text.utf8Start, UInt64(line))
        defer { _ = swivel__worker_name(worker, before.text, before.line) }
        return body()
    }

    /// Notes that the calling thread is about to run the closure, if it is a pool's worker.
    static func note(_ work: @autoclosure () -> swivel_work) {
        if let worker = currentWorker {
            swivel__worker_note(worker, UInt64(work().function))
        }
    }
}
