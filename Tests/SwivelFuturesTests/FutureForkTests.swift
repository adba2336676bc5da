// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// Futures and waits in a forked child: S3. In an exit test, which has few threads of others.
@Suite(
    .offPool,
    .disabled(
        if: Machine.isThreadSanitized,
        "it does not support a fork of several threads whose child starts threads"))
struct FutureForkTests {
    /// S3: whatever locks other threads hold at the fork, new futures complete in the child, and waits
    /// for them end.
    @Test func aChildAwaitsWhateverOtherThreadsAreDoing() async {
        await #expect(processExitsWith: .success) {
            try exitTest(endAfter: 120) {
                let loop = try Loop()
                awaitEverything()
                let isOver = Shared(false)
                let threads = (0..<3).map { number in
                    TestThread {
                        while !isOver.value {
                            let answer = loop.submit { number }.map { $0 + 1 }.await()
                            require(answer == number + 1, "\(answer)")
                        }
                    }
                }
                for number in 0..<Machine.scaled(300, by: 3) {
                    let code = exitCode(ofChild: awaitEverything)
                    require(code == 0, "child \(number) ended with \(code)")
                }
                isOver.value = true
                threads.forEach { $0.join() }
                loop.shutdown()
            }
        }
    }

    /// S3: a future that another thread waits for, completed in the child, where that thread is not.
    @Test func aChildCompletesWhatItsParentsThreadsWaitFor() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                awaitEverything()
                awaitAPromise()
                let promise = Promise<Int, Never>()
                let waiting = Gate()
                let threads = (0..<3).map { _ in
                    TestThread {
                        waiting.open()
                        require(promise.future.await() == 1, "the parent's value")
                    }
                }
                require(waiting.isOpened(times: 3, seconds: 10), "threads")
                for _ in 0..<20 {
                    let code = exitCode {
                        promise.succeed(2)
                        require(promise.future.await() == 2, "the child's value")
                    }
                    require(code == 0, "the child ended with \(code)")
                }
                promise.succeed(1)
                threads.forEach { $0.join() }
            }
        }
    }
}

/// Waits on a new loop's thread and elsewhere. A test does so before it forks, too: where a generic
/// type is used first, the Swift runtime takes locks of its own, and a child may find them taken.
private func awaitEverything() {
    guard let loop = try? Loop() else { _exit(3) }
    for number in 0..<20 {
        require(loop.submit { number }.await() == number, "await")
    }
    let nested = loop.submit { loop.submit { 1 }.await() + 1 }
    require(nested.await() == 2, "a nested await")
    require(loop.shutdown().isComplete, "shutdown")
}

/// Waits on one thread for a promise that another one keeps.
private func awaitAPromise() {
    let promise = Promise<Int, Never>()
    let thread = TestThread {
        require(promise.future.await() == 0, "the first value")
    }
    promise.succeed(0)
    require(promise.future.await() == 0, "the first value")
    thread.join()
}
#endif
