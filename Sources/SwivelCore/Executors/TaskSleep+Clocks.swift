// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import CSwivel.Internal

extension TaskSleeps {
    /// Runs `job` at an instant of any clock, for an executor that the runtime has asked: a wake
    /// job as the timer of a sleep on `loop`, another one with `enqueue`.
    package static func schedule<C: Clock>(
        _ job: UnownedJob, at instant: C.Instant, tolerance: C.Duration?, clock: C, on loop: Loop,
        enqueue: @escaping @Sendable (UnownedJob) -> Void
    ) {
        guard let delay = delay(to: instant, of: clock) else {
            return pass(job, at: instant, tolerance: tolerance, clock: clock)
        }
        let deadline = loop.now.advanced(by: whole(delay, on: loop))
        let leeway = tolerance.flatMap { $0 as? Duration }?.nanosecondsRoundedUp ?? 0
        guard let task = WakeJob.currentTask, WakeJob.isWake(job) else {
            let end = ContinuousClock.now.advanced(by: delay)
            let notice = DropNotice(job) { pass($0, at: end, enqueue) }
            loop.schedule(at: deadline, leeway: .nanoseconds(leeway)) { enqueue(notice.dismiss()) }
            return
        }
        let begins = begin(
            task, job, named: Task.name, on: loop, until: deadline, leeway: leeway)
        guard begins else { return pass(job, at: instant, tolerance: tolerance, clock: clock) }
        Tracking.fallAsleep(on: loop)
    }

    /// The loop has ended before a job that ends no sleep: a task waits for its instant.
    private static func pass(
        _ job: UnownedJob, at end: ContinuousClock.Instant,
        _ enqueue: @escaping @Sendable (UnownedJob) -> Void
    ) {
        Task.detached {
            try? await Task.sleep(until: end, clock: .continuous)
            enqueue(job)
        }
    }

    /// Gives the job to the platform's executor.
    private static func pass<C: Clock>(
        _ job: UnownedJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        guard let executor = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor
        else { trap("the platform's executor cannot wait for an instant") }
        executor.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
    }

    /// The time from now to the instant; `nil`: the clock does not count in `Duration`.
    private static func delay<C: Clock>(to instant: C.Instant, of clock: C) -> Duration? {
        // The usual clocks without a cast at run time.
        if C.self == ContinuousClock.self {
            let instant = unsafeBitCast(instant, to: ContinuousClock.Instant.self)
            return ContinuousClock.now.duration(to: instant)
        }
        return clock.now.duration(to: instant) as? Duration
    }

    /// The delay that the program has asked for, in virtual time. The runtime has added it to a
    /// real instant, which is not longer ago than the task's step. If a whole number of
    /// milliseconds can be that delay, it is.
    private static func whole(_ delay: Duration, on loop: Loop) -> Duration {
        guard let manual = loop.manual else { return delay }
        let (nanoseconds, millisecond) = (delay.nanosecondsRoundedUp, UInt64(1_000_000))
        let missing = (millisecond - nanoseconds % millisecond) % millisecond
        // A step elsewhere has no known length.
        let most = loop.isCurrent ? manual.stepLength : 100_000
        return missing <= most ? .nanoseconds(nanoseconds + missing) : delay
    }
}
#endif
