// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import Dispatch
import SwivelCore
import SwivelRuntime

func counters() async {
    let isPool = SwivelRuntime.installed == .everything
    let before = SwivelRuntime.metrics
    for _ in 0..<1_000 { await Task.detached {}.value }
    let jobs = SwivelRuntime.metrics
    require(isPool == (jobs.jobs >= before.jobs + 1_000), "\(jobs)")
    require(isPool || jobs.jobs == 0, "no job is the pool's: \(jobs)")
    require(jobs.queueDelay.count == jobs.jobs, "each job has a delay: \(jobs)")
    require(isPool == (jobs.threads >= 1), "\(jobs)")

    let sleepers = (0..<1_000).map { _ in Task.detached { try? await Task.sleep(for: hour) } }
    await until { SwivelRuntime.metrics.sleepsPending == before.sleepsPending + 1_000 }
    for sleeper in sleepers.prefix(400) { sleeper.cancel() }
    for sleeper in sleepers.prefix(400) { await sleeper.value }
    let after = SwivelRuntime.metrics
    // A cancel between arming and suspending is not noticed: that sleep stays.
    let noticed = after.cancelledEarly - before.cancelledEarly
    require((370...400).contains(noticed), "\(after)")
    require(after.sleepsPending == before.sleepsPending + 1_000 - noticed, "\(after)")
    require(after.cancelledLate == before.cancelledLate, "\(after)")
    await queueDelayIsMeasured(isPool)
}

/// A job that waits while all threads compute counts as one that has waited for as long.
private func queueDelayIsMeasured(_ isPool: Bool) async {
    guard isPool else { return }
    let (end, wide) = (ContinuousClock.now + .milliseconds(30), 64)
    await withTaskGroup { group in
        for _ in 0..<wide { group.addTask { compute(until: end) } }
    }
    let delay = SwivelRuntime.metrics.queueDelay
    let long = delay.buckets.enumerated().filter { $0.offset >= 24 }.reduce(0) { $0 + $1.element }
    require(long > 0, "none has waited for 8 ms or more: \(delay)")
}

func whoSleeps() async {
    let durations: [(String?, Duration)] = [
        ("second", .seconds(2_000)), ("first", .seconds(1_000)), (nil, .seconds(3_000)),
    ]
    let tasks = durations.map { name, duration in
        Task.detached(name: name) { try? await Task.sleep(for: duration) }
    }
    await until { SwivelRuntime.metrics.sleepsPending == 3 }
    let sleeping = SwivelRuntime.sleeping(limit: 10)
    require(sleeping.map(\.name) == ["first", "second", nil], "\(sleeping)")
    for (number, task) in sleeping.enumerated() {
        let left = Duration.seconds(1_000 * (number + 1))
        require(task.remaining <= left && task.remaining > left - .seconds(60), "\(task)")
        let until = LoopClock.Instant.now.advanced(by: task.remaining)
        require(until >= task.deadline, "\(task)")
    }
    require(sleeping[0].description.hasPrefix("\"first\" sleeps for "), "\(sleeping[0])")
    require(sleeping[2].description.hasPrefix("a task sleeps for "), "\(sleeping[2])")
    let limited = SwivelRuntime.sleeping(limit: 2)
    require(limited.map(\.deadline) == sleeping.prefix(2).map(\.deadline), "\(limited)")
    require(SwivelRuntime.sleeping(limit: 0).isEmpty, "none")
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
}

/// The semaphore opens once the report has come. The first step of a task and a later one.
func watchdogReports() async throws {
    for isLater in [false, true] {
        let (reported, isOver) = (DispatchSemaphore(value: 0), Lock(false))
        let watchdog = try SwivelRuntime.watchdog(after: .milliseconds(20)) { stall in
            require(stall.label == nil && !stall.isUnattended, "\(stall)")
            require(stall.site?.hasPrefix("RuntimeProgram+0x") == true, "\(stall)")
            require(stall.loop == "swivel.pool", "\(stall)")
            require(stall.duration >= .milliseconds(20), "\(stall)")
            print(stall)
            if stall.isOver { isOver.withLock { $0 = true } } else { reported.signal() }
        }
        await Task.detached {
            if isLater {
                await withUnsafeContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume() }
                }
            }
            block(reported)
        }.value
        await until { isOver.withLock { $0 } }
        watchdog.cancel()
    }
}

private func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }
#endif
