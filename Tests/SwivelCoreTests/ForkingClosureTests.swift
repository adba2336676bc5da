// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelTestSupport
import Testing

private func forkInside(
    _ start: (Loop, @escaping @Sendable () -> Void) -> Void
) throws {
    let loop = try Loop()
    let done = Gate()
    let code = Shared<Int32>(-1)
    let pending = loop.schedule(after: .hours(1)) {}
    loop.schedule(after: .milliseconds(2)) { done.open() }
    start(loop) {
        code.value = exitCode {
            loop.execute { _exit(4) }
            require(!loop.schedule(after: .zero) { _exit(5) }.isPending, "accepted")
            require(!loop.shutdown().isComplete || true, "returns")
            guard let fresh = try? Loop() else { _exit(3) }
            let fired = Gate()
            fresh.schedule(after: .milliseconds(1)) { fired.open() }
            require(fired.isOpened(seconds: 10), "a new loop works")
            // Its own wait, on a thread whose loop is dead.
            let visited = Counter()
            fresh.each(0..<10) { _ in visited.add() }
            require(visited.value == 10, "each returned before all had run")
            require(fresh.shutdown().isComplete, "shutdown")
        }
        done.open()
    }
    require(done.isOpened(times: 2, seconds: 20), "the parent's loop goes on")
    require(code.value == 0, "the child ended with \(code.value)")
    require(pending.cancel() == .cancelled, "the parent's timer")
    require(loop.shutdown().isComplete, "the parent's shutdown")
}

/// Closures that fork: S3. Each goes on in the child, where its loop is dead.
@Suite(.offPool) struct ForkingClosureTests {
    /// S3: fork from inside a loop's closure: the closure goes on in the child, where its loop is
    /// dead, and in the parent, where nothing has changed.
    @Test func aClosureForks() async {
        await #expect(processExitsWith: .success) {
            try exitTest { try forkInside { $0.execute($1) } }
        }
    }

    /// S3: the child's copies of the parent's watches change nothing in the poller that both have.
    @Test func aClosureThatForksLeavesTheParentsWatchesAlone() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, one, other) = (try Loop(), try TestPipe(), try TestPipe())
                let (heard, code) = (Gate(), Shared<Int32>(-1))
                let first = loop.watch(one.read) { _ in
                    one.take()
                    heard.open()
                }
                let second = loop.watch(other.read) { _ in
                    other.take()
                    heard.open()
                }
                loop.onThread {
                    code.value = exitCode {
                        first.cancel()
                        second.rearm(for: .writable)
                    }
                }
                require(code.value == 0, "the child ended with \(code.value)")
                one.put("a")
                require(heard.isOpened(seconds: 10), "the first watch is deaf")
                other.put("a")
                require(heard.isOpened(times: 2, seconds: 10), "the second watch is deaf")
                require(loop.shutdown().cancelledWatches == 2, "shutdown")
            }
        }
    }

    /// S3: the child's turn ends, and takes no event from the parent.
    @Test func aTurnInWhichAClosureForksTakesNoNewsInTheChild() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, pipe, heard) = (try Loop.embedded(), try TestPipe(), Counter())
                let pid = Shared<pid_t>(-1)
                pipe.put("a")
                loop.watch(pipe.read) { _ in heard.add() }
                loop.execute {
                    pid.value = fork()
                    var status: Int32 = 0
                    while pid.value > 0 && waitpid(pid.value, &status, 0) < 0 {}
                }
                loop.runOnce(.noWait)
                if pid.value == 0 { _exit(0) }
                require(eventually { loop.runOnce(.noWait) || heard.value > 0 }, "it is deaf")
            }
        }
    }

    /// S3: a drain's closure forks: the child lets the loop be.
    @Test func aClosureOfADrainForks() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, pid, ran) = (try Loop.embedded(), Shared<pid_t>(-1), Counter())
                let pipe = try TestPipe()
                loop.execute {
                    loop.watch(pipe.read) { _ in }
                    // The child's turn has more to do.
                    for _ in 0..<5_000 { loop.execute {} }
                    pid.value = fork()
                    var status: Int32 = 0
                    while pid.value > 0 && waitpid(pid.value, &status, 0) < 0 {}
                    require(status == 0, "the child ended with \(status)")
                }
                loop.schedule(after: .milliseconds(20)) { ran.add() }
                let report = loop.shutdown(.drain(within: .milliseconds(40)))
                if pid.value == 0 { _exit(ran.value == 0 ? 0 : 1) }
                require(ran.value == 1 && report.isComplete, "the parent's timer: \(report)")
            }
        }
    }

    /// S3: a child in which the forking closure simply returns ends by itself. (ThreadSanitizer has
    /// given its record of that thread up when the process ends on it, and crashes.)
    @Test(.enabled(if: !Machine.isThreadSanitized)) func aChildWhoseClosureReturnsEnds() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try Loop()
                let pid = Shared<pid_t>(-1)
                let forked = Gate()
                loop.execute {
                    let child = fork()
                    if child == 0 {
                        endChild(after: 20)
                        return
                    }
                    pid.value = child
                    forked.open()
                }
                loop.execute {}
                require(forked.isOpened(seconds: 10), "no fork")
                var status: Int32 = 0
                while waitpid(pid.value, &status, 0) < 0 && errno == EINTR {}
                require(status & 0x7F == 0, "the child ended by signal \(status & 0x7F)")
                loop.onThread {}
                loop.shutdown()
            }
        }
    }
}
#endif
