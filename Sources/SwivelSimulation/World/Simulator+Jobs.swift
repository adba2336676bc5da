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
        let number = cast.number(of: task) ?? add(task)
        cast.describe(number, named: name, site: site)
    }

    private func add(_ task: UnsafeRawPointer) -> Int {
        let maker = running
        let number = cast.add(task, by: maker, time)
        timeline.add(.isMade, number, step, time, Int64(maker))
        return number
    }

    /// The member that runs. An actor's turn may take the steps of several tasks.
    var running: Int {
        let task = WakeJob.currentTask.flatMap { UnsafeRawPointer(bitPattern: $0) }
        return task.flatMap(cast.number) ?? member
    }

    /// The runtime gives the world a job.
    func accept(_ job: UnownedJob, in lane: Int, from thread: String? = nil) {
        if isOver { return WorldExecutor.leave(job) }
        let word = WakeJob.address(of: job)
        guard ExecutorJob(job).kind == .task else {
            if let thread { escapes.append("an actor got a turn by the thread \(thread)") }
            // An actor's turn counts as a step of the task that needs it.
            return add(.job, word, of: running, in: lane)
        }
        let task = Self.address(of: job)
        let number = cast.number(of: task) ?? add(task)
        let state = cast[number]
        if state.pointee.sleep != 0 {
            // Nothing else makes a sleeping task run: it was cancelled.
            state.pointee.sleep = 0
            timeline.add(.wakesEarly, number, step, time)
            WakeJob.run(Self.job(state.pointee.wake))
        } else {
            let other = running
            if number != other { timeline.add(.mayGoOn, number, step, time, Int64(other)) }
        }
        if let thread {
            escapes.append("\(cast.name(number)) was resumed by the thread \(thread)")
            timeline.add(.isResumed, number, step, time, timeline.keep(thread))
        }
        if lane == Self.mainLane { cast.enterMain(number, of: executor) }
        if state.pointee.state != .running {
            state.pointee.state = .ready
            state.pointee.since = time
        }
        add(.job, word, of: number, in: lane)
    }

    /// The task that runs sleeps until an instant of any clock.
    func sleep<C: Clock>(_ job: UnownedJob, until instant: C.Instant, of clock: C) {
        let delay = (clock.now.duration(to: instant) as? Duration).map(\.nanoseconds) ?? 0
        let (end, isNever) = time.addingReportingOverflow(max(0, delay))
        let deadline = isNever ? .max - 1 : end
        let word = WakeJob.address(of: job)
        guard WakeJob.isWake(job), let address = WakeJob.currentTask,
            let task = UnsafeRawPointer(bitPattern: address)
        else { return set(.job, word, of: member, at: deadline) }
        let number = cast.number(of: task) ?? add(task)
        let sleeper = cast[number]
        // A sleep whose cancel was not seen, before it suspended, is over.
        if sleeper.pointee.sleep != 0 { WakeJob.run(Self.job(sleeper.pointee.wake)) }
        sleeps += 1
        sleeper.pointee.sleep = sleeps
        sleeper.pointee.wake = word
        sleeper.pointee.since = time
        set(.sleep, sleeps, of: number, at: deadline)
        timeline.add(.sleeps, number, step, time, deadline)
    }

    /// Takes over the jobs that other threads have given.
    func admitArrivals() {
        for arrival in executor.takeArrivals() {
            accept(arrival.job, in: arrival.lane, from: arrival.thread)
        }
    }

    /// Gives other threads 20 ms of real time to resume a task, to post to a loop, or to do what is
    /// awaited. False: none has.
    func waitForOthers(orUntil isOver: () -> Bool = { false }) -> Bool {
        for _ in 0..<40 {
            if executor.hasArrivals || isOver() || !loopsWithWork().isEmpty { return true }
            usleep(500)
        }
        return false
    }

    /// Calls `body` after a virtual time, between two steps.
    func call(after delay: Int64, _ body: @escaping @Sendable () -> Void) {
        let (end, isNever) = time.addingReportingOverflow(delay)
        set(.call, Closure.word(body), of: member, at: isNever ? .max - 1 : end)
    }

    static func address(of job: UnownedJob) -> UnsafeRawPointer {
        unsafeBitCast(job, to: UnsafeRawPointer.self)
    }
}
#endif
