// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import Dispatch
import SwivelCore
import SwivelRuntime

/// The main actor's code, and its sleeps, run on the main thread, next to the loop's own closures.
@MainActor func mainLoop(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode, mainActor: .loop)
    useTheMainLoop()
}

@MainActor func useTheMainLoop() {
    let ticks = Lock(0)
    let timer = Loop.main.schedule(every: .milliseconds(1)) { ticks.withLock { $0 += 1 } }
    Task {
        requireMainActor()
        require(Loop.main.isCurrent, "it runs on the loop")
        for _ in 0..<20 {
            let start = ContinuousClock.now
            try? await Task.sleep(for: .milliseconds(2))
            require(start.duration(to: .now) >= .milliseconds(2), "a sleep was early")
            requireMainActor()
        }
        await Task.detached {
            require(!isMainThread(), "another thread's")
            await MainActor.run { requireMainActor() }
        }.value
        requireMainActor()
        await cancelASleep()
        timer.cancel()
        Loop.main.stop()
    }
    Loop.main.run()
    require(ticks.withLock { $0 } > 0, "the loop's timer has fired")
}

/// The cancel is noticed on the main actor too, which is Swivel's here.
@MainActor private func cancelASleep() async {
    let before = SwivelRuntime.metrics.cancelledEarly
    let sleeper = Task { try? await Task.sleep(for: .seconds(3_600)) }
    while SwivelRuntime.metrics.sleepsPending == 0 { await Task.yield() }
    sleeper.cancel()
    await sleeper.value
    requireMainActor()
    let metrics = SwivelRuntime.metrics
    require(metrics.cancelledEarly == before + 1 && metrics.sleepsPending == 0, "\(metrics)")
}

/// The loop runs the blocks of the main queue as well, and the main actor's code may be there.
@MainActor func mainLoopAndAQueue(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode, mainActor: .loop)
    Task {
        for _ in 0..<10 {
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async {
                    requireMainActor()
                    continuation.resume()
                }
            }
            requireMainActor()
        }
        Loop.main.stop()
    }
    Loop.main.run()
}

/// B1: other jobs of the main actor would run inside of this one.
@MainActor func blockingWaitOnTheMainLoop(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode, mainActor: .loop)
    Task {
        let latch = Latch()
        Task { latch.signal() }
        _ = latch.wait()
        print("another job has run inside of this one")
        Loop.main.stop()
    }
    Loop.main.run()
}

/// A synchronous main is the main actor's own code before the loop runs, and after it.
@MainActor func isolationBeforeTheMainLoopRuns(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode, mainActor: .loop)
    requireMainActor()
    Task { Loop.main.stop() }
    Loop.main.run()
    requireMainActor()
}

private nonisolated func requireMainActor(line: UInt = #line) {
    require(isMainThread(), "on \(threadName())", line: line)
    MainActor.assertIsolated("not on the main actor, from line \(line)")
    MainActor.assumeIsolated {}
}
#endif
