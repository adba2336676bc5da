// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import CSwivelSimulation
internal import SwivelCore
internal import Synchronization

/// The executor that all tasks of a world prefer. It lives as long as its world.
final class WorldExecutor: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
    // because the reference is constant, and the world keeps its executor.
    private unowned(unsafe) let simulator: Simulator

    init(_ simulator: Simulator) { self.simulator = simulator }

    func enqueue(_ job: consuming ExecutorJob) {
        simulator.enqueue(UnownedJob(job), in: Simulator.poolLane)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        let job = UnownedJob(job)
        guard simulator.isHere else { return MainRouter.sleepOutside(job, at: instant, of: clock) }
        simulator.sleep(job, until: instant, of: clock)
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

    static func sleepOutside<C: Clock>(_ job: UnownedJob, at instant: C.Instant, of clock: C) {
        guard let platform = platform as? any SchedulingExecutor
        else { trap("the platform's executor cannot wait for an instant") }
        platform.enqueue(ExecutorJob(job), at: instant, tolerance: nil, clock: clock)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let world = Simulator.owner(of: job) {
            world.enqueue(job, in: Simulator.mainLane)
        } else {
            platformMain.enqueue(ExecutorJob(job))
        }
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

extension Simulator {
    /// The world that runs now.
    private static let active = Lock<Simulator?>(nil)
    private static let isActive = Atomic(false)

    /// Calls `body`, in which main actors' jobs of the world's tasks are the world's.
    func whileActive<R>(_ body: () -> R) -> R {
        Self.active.withLock { $0 = self }
        Self.isActive.store(true, ordering: .releasing)
        defer {
            Self.isActive.store(false, ordering: .releasing)
            // Released outside of the lock.
            let ended = Self.active.withLock { $0.take() }
            extendLifetime(ended)
        }
        return body()
    }

    /// The world to which a job of the main actor belongs, if any. **Thread:** any.
    fileprivate static func owner(of job: UnownedJob) -> Simulator? {
        guard isActive.load(ordering: .acquiring), let world = active.withLock({ $0 }) else {
            return nil
        }
        if world.isHere {
            // A new task may have a job before it is known.
            let isNew = swivel_sim_here().pointee.makes_task
            return isNew || world.cast.number(of: address(of: job)) != nil ? world : nil
        }
        let word = unsafeBitCast(job, to: UInt.self)
        return world.onMain.withLock { $0.contains(word) } ? world : nil
    }
}
#endif
