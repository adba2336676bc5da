// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import CSwivelSimulation
internal import SwivelCore

/// How a run begins and ends.
extension Simulator {
    /// Calls `body` on this thread, which runs the world for that time.
    func inWorld<R>(_ body: () -> R) -> R {
        let here = swivel_sim_here()
        let hashes = swivel_sim_hashes()
        let wereDeterministic = hashes.pointee.is_deterministic
        hashes.pointee.is_deterministic = true
        let words = strdup(
            "Swivel: the process ends in a simulated run. \(search.hint(seed))\n")
        here.pointee.last_words = UnsafePointer(words)
        here.pointee.world = Unmanaged.passUnretained(self).toOpaque()
        here.pointee.executor = unsafeBitCast(
            executor.asUnownedTaskExecutor(), to: (UInt, UInt).self)
        var random = SplitMix64(seed: seed ^ 0xD1CE)
        here.pointee.random = random.next()
        here.pointee.made = { world, task, name, site in
            Unmanaged<Simulator>.fromOpaque(world).takeUnretainedValue()
                .made(task, named: name.map { String(cString: $0) }, site: site)
        }
        showTime()
        defer {
            here.pointee = swivel_sim_thread()
            free(words)
            hashes.pointee.is_deterministic = wereDeterministic
        }
        return Simulated.with(self, body)
    }

    /// Describes the run so far.
    func report(_ end: SimulatedRun.End) -> SimulatedRun {
        SimulatedRun(
            seed: seed, end: end, steps: step, tasks: members.count { $0.address != 0 },
            elapsed: .nanoseconds(time), trace: timeline.hash, escapes: escapes,
            pending: end == .finished ? [] : tasks.filter { !hasEnded($0) }.map(pending),
            error: hasCancelled && thrown is CancellationError ? nil : thrown, events: timeline,
            names: members.map(\.name))
    }

    private func pending(_ task: Member) -> SimulatedRun.PendingTask {
        let state =
            task.state == .running
            ? "waits for other steps"
            : task.isQueued ? "could go on" : task.sleep == 0 ? "waits" : "sleeps"
        let maker = task.number == 0 ? "" : " (made by \(members[task.maker].name))"
        // Where it continues; a new task begins with its function.
        let next = task.isAsyncLet ? 0 : WakeJob.site(of: Self.job(task.address))
        return SimulatedRun.PendingTask(
            name: task.name + maker,
            site: [next, UInt64(task.site)].lazy.compactMap(CodeAddress.place).first,
            state: "\(state) since \(Timeline.text(task.since))")
    }

    /// Ends the run. The world's tasks take no more steps, but for those that are inside an actor
    /// now: others may wait for that actor, so its turn continues outside.
    func end() {
        isOver = true
        for arrival in executor.takeArrivals(atEnd: true) { WorldExecutor.leave(arrival.job) }
        network.end()
        for item in ready + lanes.flatMap(\.items) + alarms.items { leave(item) }
        (ready, lanes, alarms) = ([], [Lane(), Lane()], Alarms())
        for loop in loops where loop.loop.refusal == nil { loop.loop.shutdown() }
        loops = []
        for task in tasks where task.isAsyncLet || task.isEnded { task.forget() }
    }

    private func leave(_ item: Item) {
        switch item.kind {
        case .job: WorldExecutor.leave(Self.job(item.word))
        case .closure, .call: _ = Closure.take(item.word)
        case .turn, .sleep: break
        }
    }
}
#endif
