// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import Dispatch
import Glibc
import SwivelCore
import SwivelRuntime

/// A child uses loops of its own, without tasks; the parent's tasks continue.
func forkedChild(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode)
    try requireTasks(mode)
    let before = SwivelRuntime.metrics.sleepsPending
    let sleeper = Task.detached { try? await Task.sleep(for: .seconds(3_600)) }
    try result { while SwivelRuntime.metrics.sleepsPending == before { await Task.yield() } }
    for _ in 0..<5 { inChild { useALoop() } }
    require(SwivelRuntime.metrics.sleepsPending == before + 1, "the parent's sleep is there")
    sleeper.cancel()
    try requireTasks(mode)
}

/// As a daemon is made: an installation, a fork, and tasks.
func forkedBeforeTheFirstTask(_ mode: SwivelRuntime.Mode) throws {
    try SwivelRuntime.install(mode)
    inChild {
        let name = try result {
            let start = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(5))
            require(start.duration(to: .now) >= .milliseconds(5), "a sleep was early")
            await withTaskGroup { group in
                for _ in 0..<50 { group.addTask { await Task.yield() } }
            }
            return threadName()
        }
        require((name == "swivel.pool") == (mode == .everything), "a task on \(name)")
    }
    try requireTasks(mode)
}

/// Runs `body` in a child process.
private func inChild(_ body: () throws -> Void) {
    let child = fork()
    if child == 0 {
        alarm(20)
        do { try body() } catch { fatalError("\(error)") }
        _exit(7)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    require(status == 7 << 8, "the child ended with \(status)")
}

private func useALoop() {
    guard let loop = try? Loop() else { fatalError("no loop in the child") }
    let (timer, post) = (Latch(), Latch())
    loop.schedule(after: .milliseconds(2)) { timer.signal() }
    loop.execute { post.signal() }
    require(timer.wait() && post.wait(), "the loop runs")
    loop.shutdown()
    _ = SwivelRuntime.metrics
    _ = SwivelRuntime.sleeping(limit: 3)
}
#endif
