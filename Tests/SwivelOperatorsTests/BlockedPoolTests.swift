// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// F5: everything that runs on the shared pool goes on behind closures that block in semaphores.
@Suite(.offPool) struct BlockedPoolTests {
    enum Way: Int, CaseIterable, Codable, Sendable {
        case future, callback, operatorThatWaits, route, each, timer, tick, once
    }

    /// As many block as the pool has threads, and then work of each kind ends their waits. In a process
    /// of its own, which has a pool of its own.
    @Test(arguments: Way.allCases) func itRunsBehindBlockedClosures(_ way: Way) async {
        await #expect(processExitsWith: .success) { [way] in
            exitTest(endAfter: 30) {
                let (mayEnd, done) = (DispatchSemaphore(value: 0), Gate())
                let count = 2 * Machine.processors
                let blocked = (0..<count).map { _ in
                    Async {
                        mayEnd.wait()
                        done.open()
                    }
                }
                let ends: @Sendable () -> Void = { for _ in 0..<count { mayEnd.signal() } }
                let kept = Self.start(way, ends)
                require(done.isOpened(times: count, seconds: 20), "\(way) has run")
                _ = (kept, blocked)
            }
        }
    }

    private static func start(_ way: Way, _ ends: @escaping @Sendable () -> Void) -> Any {
        switch way {
        case .future: return Async { ends() }
        case .callback:
            let promise = Promise<Int, Never>()
            promise.future.onSuccess { _ in ends() }
            promise.succeed(1)
            return promise
        case .operatorThatWaits:
            return <<~{ (handler: @escaping @Sendable (Int) -> Void) in
                ends()
                handler(1)
            }
        case .route: return ends~>>.async()
        case .each: return WorkerPool.background.each([1]) { _ in ends() }
        case .timer: return WorkerPool.background.schedule(after: .milliseconds(1), ends)
        case .tick:
            return WorkerPool.background.schedule(every: .milliseconds(1)) { tick in
                tick.cancel()
                ends()
            }
        case .once:
            WorkerPool.background.once("end", after: .milliseconds(1), ends)
            return 0
        }
    }

    /// A wait in Swivel and one in a semaphore, in turn and inside one another.
    @Test func groupsThatNestEnd() async {
        await #expect(processExitsWith: .success) {
            exitTest(endAfter: 30) {
                @Sendable func nest(_ depth: Int) -> Int {
                    guard depth > 0 else { return 1 }
                    let group = DispatchGroup()
                    let sum = Shared(0)
                    for _ in 0..<2 {
                        group.enter()
                        Async { nest(depth - 1) }.onSuccess {
                            sum.add($0)
                            group.leave()
                        }
                    }
                    group.wait()
                    return sum.value + Async { 1 }.await()
                }
                let sum = Async { nest(4) }.await()
                require(sum == 31, "each level has two below: \(sum)")
            }
        }
    }

    /// Short work behind long: it does not wait for the long work's end.
    @Test func shortWorkDoesNotWaitForLong() async {
        await #expect(processExitsWith: .success) {
            exitTest(endAfter: 40) {
                let mayEnd = Gate()
                let long = (0..<4 * Machine.processors).map { _ in Async { mayEnd.wait() } }
                let short = (0..<100).map { number in Async { number } }
                require(short.sequence().await().count == 100, "all have run")
                require(long.allSatisfy { !$0.isCompleted }, "no long one has ended")
                mayEnd.open()
                for work in long { _ = work.await() }
            }
        }
    }
}
