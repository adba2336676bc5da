// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import CSwivelSimulation
internal import Glibc
internal import SwivelCore
internal import Synchronization

extension Simulator {
    /// A task was made in the world. **Thread:** the world's, as for all.
    func made(_ task: UnsafeRawPointer, named name: String?, site: UnsafeRawPointer?) {
        // The runtime makes a task for the end of each sleep.
        if WakeJob.isWake(unsafeBitCast(task, to: UnownedJob.self)) { return }
        // It may have a job already.
        let task = member(UInt(bitPattern: task))
        if let name { task.name = "\"\(name)\"" }
        task.site = UInt(bitPattern: site)
    }

    /// The member that is a task, which is added if it is not known.
    private func member(_ task: UInt) -> Member {
        if let known = Member.of(task, in: executor) { return known }
        let member = add(members.isEmpty ? "body" : "task \(members.count)", task)
        timeline.add(.isMade, member.number, step, time, Int64(member.maker))
        return member
    }

    func add(_ name: String, _ task: UInt = 0) -> Member {
        let member = Member(
            members.count, name, task: task, maker: running, in: executor, time)
        members.append(member)
        return member
    }

    /// The tasks that have not ended, as far as is known.
    var tasks: [Member] { members.filter(\.isTask) }

    /// Whether a task has ended, which is not noticed in an actor's turn. The memory of `async let`
    /// is the parent's.
    func hasEnded(_ task: Member) -> Bool {
        !task.isTask || task.isAsyncLet && hasEnded(members[task.maker]) || task.isEnded
    }

    /// The member that runs. An actor's turn may take the steps of several tasks.
    var running: Int {
        guard let task = WakeJob.currentTask, let known = Member.of(task, in: executor)
        else { return member }
        return known.number
    }

    /// The runtime gives the world a job.
    func accept(_ job: UnownedJob, in lane: Int, from thread: String? = nil) {
        if isOver { return WorldExecutor.leave(job) }
        let word = WakeJob.address(of: job)
        let running = running
        guard ExecutorJob(job).kind == .task else {
            if let thread { escapes.append("an actor got a turn by the thread \(thread)") }
            // An actor's turn counts as a step of the task that needs it.
            return add(.job, word, of: running, in: lane)
        }
        let task = member(word)
        if task.sleep != 0 {
            // Nothing else makes a sleeping task run: it was cancelled.
            wake(task, .wakesEarly)
        } else if task.number != running {
            timeline.add(.mayGoOn, task.number, step, time, Int64(running))
        }
        if let thread {
            escapes.append("\(task.name) was resumed by the thread \(thread)")
            timeline.add(.isResumed, task.number, step, time, timeline.keep(thread))
        }
        if task.state != .running {
            task.state = .ready
            task.since = time
        }
        add(.job, word, of: task.number, in: lane)
    }

    /// The task that runs sleeps.
    func sleep(_ job: UnownedJob, for delay: Duration) {
        let word = WakeJob.address(of: job)
        guard WakeJob.isWake(job), let address = WakeJob.currentTask else {
            set(.job, word, of: member, after: delay.nanoseconds)
            return
        }
        let task = member(address)
        // A sleep whose cancel was not seen, before it suspended, is over.
        if task.sleep != 0 { WakeJob.run(Self.job(task.wake)) }
        let end = set(.sleep, word, of: task.number, after: delay.nanoseconds)
        (task.sleep, task.wake, task.since) = (end.order, word, time)
        timeline.add(.sleeps, task.number, step, time, end.instant)
    }

    /// A task's sleep ends.
    func wake(_ task: Member, _ kind: Timeline.Kind) {
        task.sleep = 0
        task.since = time
        timeline.add(kind, task.number, step, time)
        WakeJob.run(Self.job(task.wake))
    }

    /// Takes over the jobs that other threads have given.
    func admitArrivals() {
        for arrival in executor.takeArrivals() {
            accept(arrival.job, in: arrival.lane, from: arrival.thread)
        }
    }

    /// Gives other threads 100 ms of real time to resume a task, to post to a loop, or to do what is
    /// awaited. False: none has.
    func waitForOthers(orUntil isOver: () -> Bool = { false }) -> Bool {
        for _ in 0..<200 {
            if executor.hasArrivals || isOver() || !heads().isEmpty { return true }
            usleep(500)
        }
        return false
    }

    /// Calls `body` after a virtual time, between two steps.
    func call(after delay: Int64, _ body: @escaping @Sendable () -> Void) {
        set(.call, Closure.word(body), of: member, after: delay)
    }
}
#endif
