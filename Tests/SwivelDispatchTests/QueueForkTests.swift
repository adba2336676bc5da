// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import SwivelCore
@testable import SwivelDispatch
@testable import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// Timers of queues and of dates in a forked child: S3. In an exit test, which has few threads of
/// others. (Dispatch itself has no threads in a child.)
@Suite(
    .offPool,
    .disabled(
        if: Machine.isThreadSanitized,
        "it does not support a fork of several threads whose child starts threads"))
struct QueueForkTests {
    /// S3: the timers are dead in the child, whatever locks other threads hold at the fork.
    @Test func timersAreDeadWhateverOtherThreadsAreDoing() async {
        await #expect(processExitsWith: .success) {
            exitTest(endAfter: 120) {
                let queue = DispatchQueue(label: "test.queue")
                let backend = DispatchBackend(queue)
                let hour = Duration.seconds(3600)
                let never = Date(timeIntervalSinceNow: 86_400)
                let handles = [
                    backend.schedule(after: hour) {},
                    queue.schedule(after: hour) {},
                    queue.schedule(at: never) {},
                ]
                let isOver = Shared(false)
                let onBackend: @Sendable () -> Void = {
                    backend.schedule(after: hour) {}.cancel()
                }
                let onQueue: @Sendable () -> Void = { queue.schedule(after: hour) {}.cancel() }
                let byDate: @Sendable () -> Void = { queue.schedule(at: never) {}.cancel() }
                let byName: @Sendable () -> Void = { _ = DispatchQueue.serial("test.fork") }
                let work = [onBackend, onQueue, byDate, byName]
                // The Swift runtime takes locks of its own where a generic type is used first.
                work.forEach { $0() }
                let threads = work.map { work in
                    TestThread { while !isOver.value { work() } }
                }
                for number in 0..<Machine.scaled(300, by: 3) {
                    let code = exitCode {
                        require(handles.allSatisfy { !$0.isPending }, "a timer is pending")
                        require(WallTimers.system.count == 0, "a timer of a date is pending")
                        _ = DispatchQueue.serial("test.fork")
                    }
                    require(code == 0, "child \(number) ended with \(code)")
                }
                isOver.value = true
                threads.forEach { $0.join() }
                _ = handles.map { $0.cancel() }
            }
        }
    }

    /// S3: what stands on the shared loop and on the shared pool stays dead, and a loop of the child's
    /// own works.
    @Test func timersOfQueuesStayDeadInTheChild() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let queue = DispatchQueue(label: "test.queue")
                // Again, so that no thread is at the first use of a type, under the runtime's lock.
                for _ in 0..<3 {
                    let ran = Gate()
                    queue.schedule(after: .zero) { ran.open() }
                    WorkerPool.shared.execute { ran.open() }
                    ran.wait(times: 2)
                }
                let code = exitCode {
                    let probe = Probe()
                    let timers = [
                        queue.schedule(after: .zero, probe.work()),
                        queue.schedule(every: .seconds(1), probe.work()),
                        queue.schedule(at: Date(timeIntervalSinceNow: 1), probe.work()),
                        WorkerPool.shared.schedule(after: .zero, probe.work()),
                        queue.once("id", after: .zero, probe.work()),
                    ]
                    require(timers.allSatisfy { !$0.isPending }, "a timer is pending")
                    WorkerPool.shared.execute(probe.work())
                    require(!Loop.shared.tryExecute(probe.work()), "accepted")
                    require(probe.released == 7 && probe.ran == 0, "\(probe.released)")
                    let (loop, own) = (try? Loop(), Gate())
                    loop?.schedule(after: .milliseconds(1)) { own.open() }
                    require(own.isOpened(seconds: 10), "the child's own loop")
                }
                require(code == 0, "the child ended with \(code)")
            }
        }
    }
}
#endif
