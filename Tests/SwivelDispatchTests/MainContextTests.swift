// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

/// `.main` where the main queue is driven by Dispatch itself, as in every `async` program.
@Suite(.offPool) struct MainContextTests {
    private let probe = Probe()

    /// F1: the posts of one thread keep their order, whichever way they go to `.main`.
    @Test func postsOfOneThreadKeepTheirOrder() {
        let order = Shared<[Int]>([])
        let done = Gate()
        for number in 0..<2_000 {
            let work = probe.work {
                order.update { $0.append(number) }
                done.open()
            }
            number % 3 == 0
                ? DispatchQueue.main.execute(work) : AnyContext(.main).execute(work)
        }
        done.wait(times: 2_000)
        #expect(order.value == Array(0..<2_000))
    }

    /// From many threads each closure runs once, one at a time, on the main actor.
    @Test func everythingRunsOnceOnTheMainActor() {
        let running = Shared(0)
        let done = Gate()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 {
                DispatchQueue.main.execute(
                    probe.work {
                        MainActor.assumeIsolated {
                            #expect(running.add(1) == 1)
                            running.add(-1)
                        }
                        done.open()
                    })
            }
        }
        done.wait(times: 4_000)
        probe.waitForRuns(4_000)
    }

    /// A closure's posts run after it, and the lane lets other blocks in between.
    @Test func aClosurePostsTheNext() {
        let order = Shared<[Int]>([])
        let done = Gate()
        @Sendable func post(_ number: Int) {
            DispatchQueue.main.execute(
                probe.work {
                    order.update { $0.append(number) }
                    if number < 1_000 { post(number + 1) }
                    order.update { $0.append(number) }
                    done.open()
                })
        }
        post(0)
        done.wait(times: 1_001)
        #expect(order.value == (0...1_000).flatMap { [$0, $0] })
    }

    /// F2: nothing runs inside the call.
    @Test @MainActor func nothingRunsInsideTheCall() {
        let latch = Latch()
        DispatchQueue.main.execute { latch.signal() }
        #expect(!latch.isOpen)
        #expect(DispatchQueue.main.isCurrent)
        Waiting.wait(for: latch, operation: "test", file: #fileID, line: #line)
    }

    /// A closure that waits for a later one of the lane, nested a hundred times.
    @Test func nestedWaitsFinishInsideOut() {
        let ends = Shared<[Int]>([])
        let done = Gate()
        @Sendable func nest(_ depth: Int, _ ended: Latch) {
            DispatchQueue.main.execute(
                probe.work {
                    if depth < 100 {
                        let inner = Latch()
                        nest(depth + 1, inner)
                        Waiting.wait(
                            for: inner, target: .main, operation: "test", file: #fileID,
                            line: #line)
                    }
                    ends.update { $0.append(depth) }
                    ended.signal()
                    if depth == 0 { done.open() }
                })
        }
        nest(0, Latch())
        done.wait()
        #expect(ends.value == (0...100).reversed())
    }

    /// A wait on the main queue that a completion elsewhere ends, and one that its deadline ends.
    @Test @MainActor func aWaitOnTheMainQueueIsWoken() {
        for _ in 0..<50 {
            let latch = Latch()
            WorkerPool.shared.execute { latch.signal() }
            Waiting.wait(for: latch, operation: "test", file: #fileID, line: #line)
        }
        let deadline = LoopClock.Instant.now.advanced(by: .milliseconds(2))
        #expect(
            !Waiting.wait(
                for: Latch(), until: deadline, operation: "test", file: #fileID, line: #line))
        #expect(LoopClock.Instant.now >= deadline)
    }

    /// Leading-dot syntax finds them all, and the queue can be named as ever.
    @Test func allSpellingsWork() {
        let done = Gate()
        func take(_ context: any ExecutionContext) {
            context.execute(probe.work { done.open() })
        }
        take(.main)
        take(DispatchQueue.main)
        let queue: DispatchQueue = .main
        take(queue)
        take(AnyContext(.main))
        done.wait(times: 4)
    }

    /// Timers' closures come by the lane as well.
    @Test @MainActor func aTimerEndsAWaitOnTheMainQueue() {
        let latch = Latch()
        DispatchQueue.main.schedule(after: .milliseconds(1)) { latch.signal() }
        Waiting.wait(
            for: latch, target: .main, operation: "test", file: #fileID, line: #line)
    }
}
