// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

/// `.main` where the main queue is driven by Dispatch itself, as in every `async` program.
@Suite(.offPool) struct MainContextTests {
    private let probe = Probe()

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

    /// Timers' closures come by the lane as well.
    @Test @MainActor func aTimerEndsAWaitOnTheMainQueue() {
        let latch = Latch()
        DispatchQueue.main.schedule(after: .milliseconds(1)) { latch.signal() }
        Waiting.wait(
            for: latch, target: .main, operation: "test", file: #fileID, line: #line)
    }
}
