// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelCore
import SwivelRuntime
@_spi(ExperimentalCustomExecutors) import _Concurrency

func tasksRunOnTheThreadsOfTheMode() async {
    let mode = SwivelRuntime.installed
    for _ in 0..<100 {
        let name = await Task.detached { threadName() }.value
        require((name == "swivel.pool") == (mode == .everything), "a task on \(name)")
    }
    let names = await withTaskGroup(of: String.self) { group in
        for _ in 0..<100 { group.addTask { threadName() } }
        return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    require(names.contains("swivel.pool") == (mode == .everything), "children on \(names)")
    await requireSleeps(onSwivel: mode != nil)
    await MainActor.run { MainActor.assertIsolated() }
}

func secondInstallation() async {
    let mode = SwivelRuntime.installed
    for again in [SwivelRuntime.Mode.timers, .everything] {
        requireRefusal(.installed) { () throws(InstallationError) in
            try SwivelRuntime.install(again)
        }
    }
    require(SwivelRuntime.installed == mode, "\(mode as Any) stays")
    await tasksRunOnTheThreadsOfTheMode()
}

func installationAfterATask() async {
    await Task {}.value
    await requireNothingInstalled(.tooLate)
}

func installationInsideAnotherTask() async {
    await Task.detached { await requireNothingInstalled(.tooLate) }.value
}

/// The refusal changes nothing: the next installation works.
func mainLoopInAnAsynchronousMain() async throws {
    requireRefusal(.tooLate) { () throws(InstallationError) in
        try SwivelRuntime.install(.everything, mainActor: .loop)
    }
    require(SwivelRuntime.installed == nil, "nothing is installed")
    try SwivelRuntime.install(.everything)
    await tasksRunOnTheThreadsOfTheMode()
}

/// Requires that each installation is refused, each time with this reason, and changes nothing.
private func requireNothingInstalled(_ reason: InstallationError.Reason) async {
    for mode in [SwivelRuntime.Mode.timers, .everything, .timers] {
        requireRefusal(reason) { () throws(InstallationError) in
            try SwivelRuntime.install(mode)
        }
    }
    require(SwivelRuntime.installed == nil, "nothing is installed")
    require(
        Task.defaultExecutor as AnyObject === PlatformExecutorFactory.defaultExecutor,
        "the default executor is as before")
    require(
        MainActor.executor as AnyObject === PlatformExecutorFactory.mainExecutor,
        "the main actor's executor is as before")
    require(await Task.detached { threadName() }.value != "swivel.pool", "tasks run as before")
    await requireSleeps(onSwivel: false)
}

private func requireRefusal(
    _ reason: InstallationError.Reason, line: UInt = #line,
    _ install: () throws(InstallationError) -> Void
) {
    do throws(InstallationError) {
        try install()
        require(false, "it was installed", line: line)
    } catch {
        require(error.reason == reason, "\(error), and not \(reason)", line: line)
        require(error.message.count > 20, "a message: \(error)", line: line)
        print("refused: \(error)")
    }
}

private func requireSleeps(onSwivel: Bool) async {
    let asleep = SwivelRuntime.metrics.sleepsPending
    let sleeper = Task.detached { try await Task.sleep(for: hour) }
    if onSwivel {
        await until { SwivelRuntime.metrics.sleepsPending == asleep + 1 }
    } else {
        for _ in 0..<100 { await Task.yield() }
        require(SwivelRuntime.metrics.sleepsPending == asleep, "the sleep is Swivel's")
    }
    sleeper.cancel()
    guard case .failure(is CancellationError) = await sleeper.result
    else { return require(false, "the sleep has not thrown") }
    let start = ContinuousClock.now
    try? await Task.sleep(for: .milliseconds(5))
    require(start.duration(to: .now) >= .milliseconds(5), "a sleep was early")
}
#endif
