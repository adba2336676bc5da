// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import Dispatch
import Glibc
import SwivelCore
import SwivelRuntime
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

func firstLine(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode)
    try requireTasks(mode)
    requireRefusal(.installed, .timers)
    requireRefusal(.installed, .everything, mainActor: .loop)
    try requireTasks(mode)
}

func afterATask(_ mode: SwivelRuntime.Mode) throws {
    try result {}
    for place in [SwivelRuntime.MainActorPlace.platform, .loop] {
        requireRefusal(.tooLate, mode, mainActor: place)
    }
    try requireTasks(nil)
}

/// Takes all descriptors that the process may have.
private func takeDescriptors() -> [Int32] {
    var taken: [Int32] = []
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_cur, 256)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    while case let copy = dup(0), copy >= 0 { taken.append(copy) }
    return taken
}

/// A refused installation does not count: a later one succeeds.
func noDescriptors(_ mode: SwivelRuntime.Mode) throws {
    let taken = takeDescriptors()
    for _ in 0..<3 { requireRefusal(.system, mode) }
    taken.forEach { close($0) }
    try SwivelRuntime.install(mode)
    try requireTasks(mode)
}

/// With too few for two loops, and with one more each time, until there are enough.
@MainActor func noDescriptorsForTheMainLoop(_ mode: SwivelRuntime.Mode) throws {
    var taken = takeDescriptors()
    var refusals = 0
    while SwivelRuntime.installed == nil {
        do throws(InstallationError) {
            try SwivelRuntime.install(mode, mainActor: .loop)
        } catch {
            require(error.reason == .system, "\(error)")
            refusals += 1
            close(taken.removeLast())
        }
    }
    print("refused \(refusals) times")
    taken.forEach { close($0) }
    useTheMainLoop()
}

/// Refused again and again, each time with this reason.
private func requireTaken(_ mode: SwivelRuntime.Mode) {
    for place in [SwivelRuntime.MainActorPlace.platform, .loop, .platform] {
        requireRefusal(.taken, mode, mainActor: place)
    }
}

func executorsOfAnotherLibrary(_ mode: SwivelRuntime.Mode) throws {
    _createExecutors(factory: OtherDefault.self)
    requireTaken(mode)
    require(Task.defaultExecutor as AnyObject === OtherDefault.executor, "it stays")
    try requireTasks(nil)
    require(OtherDefault.executor.jobs.withLock { $0 } > 0, "the other library runs the tasks")
}

func mainExecutorOfAnotherLibrary(_ mode: SwivelRuntime.Mode) throws {
    _createExecutors(factory: OtherMain.self)
    requireTaken(mode)
    require(MainActor.executor as AnyObject === OtherMain.executor, "it stays")
    try requireTasks(nil)
}

func hookOfAnotherLibrary(_ mode: SwivelRuntime.Mode) throws {
    guard let variable = dlsym(nil, "swift_task_enqueueGlobal_hook")
    else { return require(false, "the runtime has no such hook") }
    variable.assumingMemoryBound(to: OtherHook.Hook?.self).pointee = { job, original in
        OtherHook.jobs.withLock { $0 += 1 }
        original(job)
    }
    requireTaken(mode)
    try requireTasks(nil)
    require(OtherHook.jobs.withLock { $0 } > 0, "the other library gets the jobs")
}

/// The hook of another library, which passes each job on.
private enum OtherHook {
    typealias Original = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    static let jobs = Lock(0)
}

/// The default executor of another library.
private struct OtherDefault: ExecutorFactory {
    final class Executor: TaskExecutor, SchedulingExecutor {
        let jobs = Lock(0)

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            PlatformExecutorFactory.defaultExecutor.enqueue(job)
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            guard let platform = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor
            else { fatalError("the platform's executor does not schedule") }
            platform.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
        }
    }

    static let executor = Executor()
    static var defaultExecutor: any TaskExecutor { executor }
    static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
}

/// The main executor of another library.
private struct OtherMain: ExecutorFactory {
    final class Executor: MainExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            PlatformExecutorFactory.mainExecutor.enqueue(job)
        }
        func run() throws { try PlatformExecutorFactory.mainExecutor.run() }
        func stop() { PlatformExecutorFactory.mainExecutor.stop() }
    }

    static let executor = Executor()
    static var defaultExecutor: any TaskExecutor { PlatformExecutorFactory.defaultExecutor }
    static var mainExecutor: any MainExecutor { executor }
}
#endif
