// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CSwivelTestSupport
import Dispatch
import Glibc
import SwivelCore
import SwivelRuntime

/// Ends the program as a failure whose reason is in its output.
func require(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
    if condition { return }
    fflush(nil)
    fatalError("line \(line): \(message())")
}

/// Runs a task from synchronous code, and returns its result.
func result<R: Sendable>(of body: @escaping @Sendable () async throws -> R) throws -> R {
    let (ended, result) = (DispatchSemaphore(value: 0), Lock<Result<R, any Error>?>(nil))
    Task.detached {
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        ended.signal()
    }
    ended.wait()
    guard let outcome = result.withLock({ $0 }) else { fatalError("no result") }
    return try outcome.get()
}

/// The name of the calling thread.
func threadName() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
        guard let start = name.baseAddress else { return "" }
        swivel_process_thread_name(start)
        return String(cString: start)
    }
}

func isMainThread() -> Bool { swivel_process_thread() == getpid() }

/// Requires that tasks run, and sleep, as this mode says; `nil`: as without Swivel.
func requireTasks(_ mode: SwivelRuntime.Mode?) throws {
    require(SwivelRuntime.installed == mode, "\(SwivelRuntime.installed as Any) is installed")
    let name = try result { threadName() }
    require((name == "swivel.pool") == (mode == .everything), "a task on \(name)")
    let cancelled = SwivelRuntime.metrics.cancelledEarly
    try result {
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(5))
        require(start.duration(to: .now) >= .milliseconds(5), "a sleep was early")
        let before = SwivelRuntime.metrics.sleepsPending
        let sleepers = (0..<50).map { _ in
            Task.detached { try? await Task.sleep(for: .seconds(3_600)) }
        }
        if mode != nil {
            while SwivelRuntime.metrics.sleepsPending < before + 50 { await Task.yield() }
        }
        for sleeper in sleepers { sleeper.cancel() }
        for sleeper in sleepers { await sleeper.value }
    }
    // Those that come between arming and suspending are not.
    let noticed = SwivelRuntime.metrics.cancelledEarly - cancelled
    require(
        mode == nil ? noticed == 0 : (1...50).contains(noticed),
        "\(noticed) of 50 cancels were noticed")
}

/// Requires that an installation is refused, and with this reason.
func requireRefusal(
    _ reason: InstallationError.Reason, _ mode: SwivelRuntime.Mode,
    mainActor: SwivelRuntime.MainActorPlace = .platform, line: UInt = #line
) {
    do throws(InstallationError) {
        try SwivelRuntime.install(mode, mainActor: mainActor)
        require(false, "it was installed", line: line)
    } catch {
        require(error.reason == reason, "\(error), and not \(reason)", line: line)
        print("refused: \(error)")
    }
}
#endif
