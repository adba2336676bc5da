// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import Glibc
internal import Synchronization
@_spi(ExperimentalCustomExecutors) internal import _Concurrency

/// The one installation of a process.
enum Installation {
    private static let installed = Mutex<SwivelRuntime.Mode?>(nil)

    static var mode: SwivelRuntime.Mode? { installed.withLock { $0 } }

    static func install(
        _ mode: SwivelRuntime.Mode, _ mainActor: SwivelRuntime.MainActorPlace
    ) throws(InstallationError) {
        try installed.withLock { installed throws(InstallationError) in
            try check(installed, mainActor)
            let sleeps = try loop("swivel.sleeps")
            if mainActor == .loop { try checkMainLoop(orEnd: sleeps) }
            Executors.chosen = Executors(
                main: mainActor == .loop
                    ? MainLoopExecutor() : PlatformExecutorFactory.mainExecutor,
                other: mode == .timers ? TimersExecutor(sleeps) : PoolExecutor(sleeps))
            _createExecutors(factory: Executors.self)
            installed = mode
        }
    }

    /// `Loop.main` traps where another loop is refused now.
    private static func checkMainLoop(orEnd sleeps: Loop) throws(InstallationError) {
        do throws(InstallationError) {
            try loop("swivel.main").shutdown()
        } catch {
            sleeps.shutdown()
            throw error
        }
    }

    private static func loop(_ name: String) throws(InstallationError) -> Loop {
        do throws(SwivelError) {
            return try Loop(.init(name: name))
        } catch {
            throw InstallationError(.system, "the loop '\(name)' cannot be made: \(error)")
        }
    }

    private static func check(
        _ installed: SwivelRuntime.Mode?, _ mainActor: SwivelRuntime.MainActorPlace
    ) throws(InstallationError) {
        if let installed {
            throw InstallationError(.installed, ".\(installed) is installed; call install once")
        }
        guard WakeJob.isSupported else {
            throw InstallationError(
                .unsupported, "this Swift runtime differs from that of Swift 6.3")
        }
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        if mainActor == .loop, isInTask {
            throw InstallationError(
                .tooLate,
                """
                the main actor runs already: call install in a synchronous main, or link \
                SwivelRuntimeAtStart and set SWIVEL_RUNTIME_MAIN=loop
                """)
        }
        guard let tasks = WakeJob.tasksMade(), tasks <= (isInTask ? 1 : 0) else {
            throw InstallationError(
                .tooLate,
                """
                tasks were made before: call install on the first line of main, or link \
                SwivelRuntimeAtStart
                """
            )
        }
        guard Task.defaultExecutor as AnyObject === PlatformExecutorFactory.defaultExecutor,
            MainActor.executor as AnyObject === PlatformExecutorFactory.mainExecutor, !isHooked
        else {
            throw InstallationError(
                .taken, "another library runs this process's tasks; only one can")
        }
    }

    /// Whether other code gets the jobs of the global executor, as swift-nio's takeover does.
    private static var isHooked: Bool {
        let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")
        return hook?.load(as: UInt.self) ?? 0 != 0
    }
}

/// The executors that were chosen, as the runtime asks for them.
struct Executors: ExecutorFactory, Sendable {
    let main: any MainExecutor
    let other: any TaskExecutor

    // because it is written once, before the runtime reads it.
    nonisolated(unsafe) static var chosen: Executors?

    private static var present: Executors {
        guard let chosen else { trap("executors before an installation") }
        return chosen
    }

    static var mainExecutor: any MainExecutor { present.main }
    static var defaultExecutor: any TaskExecutor { present.other }
}
#else
/// There is no runtime to install into.
enum Installation {
    static var mode: SwivelRuntime.Mode? { nil }

    static func install(
        _ mode: SwivelRuntime.Mode, _ mainActor: SwivelRuntime.MainActorPlace
    ) throws(InstallationError) {
        throw InstallationError(.unsupported, "it needs Linux and Swift 6.3")
    }
}
#endif
