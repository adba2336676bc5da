// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import CSwivelSimulation
internal import SwivelCore
internal import Synchronization

/// The executor that all tasks of a world prefer. It stays if tasks of its world never end.
final class WorldExecutor: TaskExecutor, SchedulingExecutor, Sendable {
    /// A job that another thread has given to the world.
    struct Arrival {
        let job: UnownedJob
        let lane: Int
        let thread: String
    }

    /// `nil`: the run has ended, and nothing takes a step any more.
    private let arrivals = Lock<[Arrival]?>([])
    private let hasJobs = Atomic(false)

    /// Whether other threads may have given jobs.
    var hasArrivals: Bool { hasJobs.load(ordering: .acquiring) }

    func enqueue(_ job: consuming ExecutorJob) { give(UnownedJob(job), to: Simulator.poolLane) }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        let job = UnownedJob(job)
        let delay = (clock.now.duration(to: instant) as? Duration) ?? .zero
        if let world = Simulator.here, world.executor === self {
            world.sleep(job, for: delay)
        } else {
            WakeJob.run(job, after: delay)
        }
    }

    /// The runtime gives the world a job. **Thread:** any.
    func give(_ job: UnownedJob, to lane: Int) {
        if let world = Simulator.here, world.executor === self {
            return world.accept(job, in: lane)
        }
        let thread = "'\(String(cString: swivel_sim_thread_name()))'"
        let isLate = arrivals.withLock { arrivals in
            arrivals?.append(Arrival(job: job, lane: lane, thread: thread))
            return arrivals == nil
        }
        hasJobs.store(true, ordering: .releasing)
        if isLate { Self.leave(job) }
    }

    func takeArrivals(atEnd: Bool = false) -> [Arrival] {
        arrivals.withLock { arrivals in
            hasJobs.store(false, ordering: .relaxed)
            defer { arrivals = atEnd ? nil : [] }
            return arrivals ?? []
        }
    }

    /// A job that came too late: an actor continues outside, and a task of the world does not.
    static func leave(_ job: UnownedJob) {
        if ExecutorJob(job).kind != .task { MainRouter.platform.enqueue(ExecutorJob(job)) }
    }
}

/// The main actor's executor, for the whole process: the platform's, and for the tasks of a world
/// that world. Installed before `main`. The default executor stays the platform's.
final class MainRouter: MainExecutor, ExecutorFactory, @unchecked Sendable {
    // because all of it is constant.
    static let shared = MainRouter()
    static let platform = PlatformExecutorFactory.defaultExecutor
    private let platformMain = PlatformExecutorFactory.mainExecutor

    static var mainExecutor: any MainExecutor { shared }
    static var defaultExecutor: any TaskExecutor { platform }
    static let isInstalled = Atomic(false)

    static func install() {
        _createExecutors(factory: MainRouter.self)
        isInstalled.store(true, ordering: .releasing)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let world = Self.world(of: job) {
            world.give(job, to: Simulator.mainLane)
        } else {
            platformMain.enqueue(ExecutorJob(job))
        }
    }

    /// The world to which a job belongs, if any.
    private static func world(of job: UnownedJob) -> WorldExecutor? {
        // A new task may have a job before it is known.
        if let world = Simulator.here, swivel_sim_here().pointee.makes_task {
            return world.executor
        }
        return Member.of(WakeJob.address(of: job))?.world
    }

    func run() throws { try platformMain.run() }
    func stop() { platformMain.stop() }
    var isMainExecutor: Bool { true }

    func checkIsolated() {
        if let world = Simulator.here {
            check(
                world.lane == Simulator.mainLane,
                "this code is isolated to the main actor, and runs elsewhere in a simulated world")
        } else {
            platformMain.checkIsolated()
        }
    }

    func isIsolatingCurrentContext() -> Bool? {
        if let world = Simulator.here { return world.lane == Simulator.mainLane }
        return platformMain.isIsolatingCurrentContext()
    }
}
#endif
