// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CSwivel.Internal
import Glibc
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Loops after `fork`: S3. The forks happen in exit tests, which have few threads.
@Suite(.offPool) struct ForkTests {
    /// S3: an inherited loop is dead in the child: it refuses, and nothing hangs.
    @Test func anInheritedLoopIsDeadInTheChild() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loops = [
                    try Loop(), try Loop.embedded(), try Loop.manual(), Loop.shared, Loop.main,
                ]
                let probe = Probe()
                var handles = loops.map { $0.schedule(after: .hours(1), probe.work()) }
                handles += loops.map { $0.schedule(every: .hours(1), probe.work()) }
                let timers = loops.map { LoopTimer(on: $0, probe.work()) }
                timers.forEach { $0.arm(after: .hours(1)) }
                let coalescer = Coalescer(on: loops[0], after: .hours(1), probe.work())
                coalescer.call()
                handles.append(loops[0].once("inherited", after: .hours(1), probe.work()))
                let code = exitCode {
                    for loop in loops {
                        let refused = loop.metrics.refused
                        loop.execute(probe.work())
                        require(!loop.tryExecute(probe.work()), "accepted a post")
                        let handle = loop.schedule(after: .zero, probe.work())
                        require(handle == loop.schedule(every: .seconds(1), probe.work()), "every")
                        require(!handle.isPending && handle.cancel() == .finished, "accepted")
                        require(loop.metrics.refused == refused + 4, "counted")
                        require(LoopTimer(on: loop, probe.work()).arm(after: .zero) == false, "arm")
                        loop.stop()
                        require(!loop.isCurrent, "current")
                        loop.each(0..<3) { _ in require(false, "ran") }
                    }
                    loops[1].run()
                    require(!loops[1].runOnce(.wait), "ran a turn")
                    loops[2].advance(by: .hours(2))
                    require(!loops[0].shutdown().isComplete || true, "returns")
                    loops[1].shutdown(.drain(within: .seconds(1)))
                    require(!timers[0].arm(after: .zero), "armed")
                    _ = timers[1].disarm()
                    require(!coalescer.call(), "called")
                    require(!loops[0].once("forked", after: .zero, probe.work()).isPending, "once")
                    for handle in handles {
                        _ = (handle.isPending, handle.rearm(after: .zero), handle.cancel())
                    }
                    require(probe.ran == 0, "something ran")
                    let again = loops[0].once("inherited", after: .zero, probe.work())
                    require(!again.isPending, "once")
                }
                require(code == 0, "the child ended with \(code)")
                // The parent has lost nothing.
                for loop in loops[0...2] {
                    let report = loop.shutdown()
                    require(report.cancelledTimers >= 2 && report.isComplete, "\(report)")
                }
                _ = timers.count
            }
        }
    }

    /// S3: new loops work in the child, with timers, posts and threads.
    @Test func newLoopsWorkInTheChild() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let inherited = try Loop()
                inherited.onThread {}
                let code = exitCode {
                    for _ in 0..<20 {
                        guard let loop = try? Loop() else { _exit(3) }
                        let fired = Gate()
                        loop.schedule(after: .milliseconds(1)) { fired.open() }
                        loop.schedule(every: .microseconds(100)) { fired.open() }
                        loop.execute { fired.open() }
                        require(fired.isOpened(times: 5, seconds: 10), "nothing runs")
                        let visited = Counter()
                        loop.each(0..<10) { _ in visited.add() }
                        require(visited.value == 10, "each")
                        require(loop.shutdown().isComplete, "shutdown")
                    }
                }
                require(code == 0, "the child ended with \(code)")
                let fired = Gate()
                inherited.schedule(after: .milliseconds(1)) { fired.open() }
                require(fired.isOpened(seconds: 10), "the parent's loop")
                inherited.shutdown()
            }
        }
    }

    /// S3: the child touches none of the parent's descriptors: the parent's parked loop is neither
    /// woken nor deaf afterwards.
    @Test func theChildDoesNotDisturbTheParent() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try Loop()
                let fired = Gate()
                let handle = loop.schedule(after: .hours(1)) { fired.open() }
                loop.onThread {}
                let limit = SuspendingClock.now + .seconds(10)
                var parks = -1
                while parks != loop.metrics.parks && SuspendingClock.now < limit {
                    parks = loop.metrics.parks
                    busy(for: .milliseconds(5))
                }
                let before = loop.metrics
                let code = exitCode {
                    for _ in 0..<5_000 {
                        loop.execute {}
                        handle.rearm(after: .zero)
                        loop.stop()
                    }
                    loop.shutdown()
                }
                require(code == 0, "the child ended with \(code)")
                require(loop.metrics.wakes == before.wakes, "the child woke the parent's loop")
                require(handle.rearm(after: .milliseconds(1)), "the timer is gone")
                require(fired.isOpened(seconds: 10), "the parent's loop is deaf")
                loop.shutdown()
            }
        }
    }

    /// S3: the background pool and the timers of other contexts are dead in the child; a new pool
    /// works.
    @Test func thePoolIsDeadInTheChild() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let probe = Probe()
                let ran = Gate()
                WorkerPool.shared.execute { ran.open() }
                let context = QueueContext()
                context.schedule(after: .hours(1), probe.work())
                ran.wait()
                let code = exitCode {
                    WorkerPool.shared.execute(probe.work())
                    require(probe.released == 1 && probe.ran == 0, "the post was kept or ran")
                    WorkerPool.shared.each(0..<3) { _ in require(false, "ran") }
                    let handle = context.schedule(after: .zero, probe.work())
                    require(!handle.isPending && probe.released == 2, "a timer was accepted")
                    let pool = WorkerPool(threads: 2)
                    let visited = Counter()
                    pool.each(0..<50) { _ in visited.add() }
                    require(visited.value == 50, "a new pool works")
                    _ = WorkerPool.shared.metrics
                }
                require(code == 0, "the child ended with \(code)")
                let again = Gate()
                WorkerPool.shared.execute { again.open() }
                require(again.isOpened(seconds: 10), "the parent's pool")
            }
        }
    }

    /// S3: again and again, also in grandchildren.
    @Test func grandchildrenForkToo() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try Loop()
                let code = exitCode {
                    guard let mine = try? Loop() else { _exit(3) }
                    mine.onThread {}
                    let code = exitCode {
                        guard !loop.tryExecute({}), !mine.tryExecute({}) else { _exit(4) }
                        guard let third = try? Loop() else { _exit(5) }
                        third.onThread {}
                        third.shutdown()
                    }
                    require(code == 0, "the grandchild ended with \(code)")
                    mine.onThread {}
                    mine.shutdown()
                }
                require(code == 0, "the child ended with \(code)")
                loop.onThread {}
                loop.shutdown()
            }
        }
    }

    /// A thread asks once whether it is the first one, and again in a child.
    @Test func aChildsOnlyThreadIsItsFirst() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let code = Shared<Int32>(-1)
                let thread = TestThread {
                    require(!swivel__thread_is_first(), "a thread that a test has started")
                    code.value = exitCode {
                        require(swivel__thread_is_first(), "the child's only thread")
                    }
                    require(!swivel__thread_is_first(), "nothing has changed for the parent's")
                }
                thread.join()
                require(code.value == 0, "the child ended with \(code.value)")
            }
        }
    }
}
#endif
