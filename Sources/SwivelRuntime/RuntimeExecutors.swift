// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The default executor of ``SwivelRuntime/Mode/everything``: the worker pool, and a loop for
/// sleeps.
final class PoolExecutor: TaskExecutor, SchedulingExecutor {
    private let loop: Loop

    init(_ loop: Loop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        TaskSleeps.enqueued(job)
        Self.accept(job)
    }

    /// The pool is made for the first task: a program may fork before.
    private static func accept(_ job: UnownedJob) {
        WorkerPool.shared.accept(job, priority: ExecutorJob(job).priority.rawValue)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        TaskSleeps.schedule(
            UnownedJob(job), at: instant, tolerance: tolerance, clock: clock, on: loop,
            enqueue: Self.accept)
    }
}

/// The default executor of ``SwivelRuntime/Mode/timers``: the platform's, and a loop for sleeps.
final class TimersExecutor: TaskExecutor, SchedulingExecutor {
    private let platform = PlatformExecutorFactory.defaultExecutor
    private let loop: Loop

    init(_ loop: Loop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        TaskSleeps.enqueued(job)
        platform.enqueue(job)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        TaskSleeps.schedule(
            UnownedJob(job), at: instant, tolerance: tolerance, clock: clock, on: loop
        ) { [platform] job in platform.enqueue(job) }
    }
}

/// The main actor on `Loop.main`.
final class MainLoopExecutor: MainExecutor {
    private let loop = Loop.main

    func enqueue(_ job: consuming ExecutorJob) { loop.acceptOfMainActor(UnownedJob(job)) }

    func run() throws { loop.run() }
    func stop() { loop.stop() }
    var isMainExecutor: Bool { true }
    func checkIsolated() { loop.checkIsolated() }
    func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }
}
#endif
