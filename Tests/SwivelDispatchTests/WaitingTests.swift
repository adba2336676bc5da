// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// Waits as every blocking call of Swivel does.
@discardableResult
func wait(
    _ latch: Latch, until deadline: LoopClock.Instant = .never,
    target: (any ExecutionContext)? = nil, file: StaticString = #fileID, line: UInt = #line
) -> Bool {
    Waiting.wait(
        for: latch, until: deadline, target: target, operation: "wait(_:)", file: file, line: line)
}

/// Waits that pass: B1 and B3 through the one door, and queues that can do the work.
@Suite(.offPool) struct WaitingTests {
    private let probe = Probe()

    /// B1: timers of the loop that waits go on, and later closures of the same batch run.
    @Test func aWaitOnALoopPumpsIt() async {
        await #expect(processExitsWith: .success) {
            giveUpLater(EXIT_FAILURE)
            let loop = try Loop()
            let done = Latch()
            loop.execute {
                let (timer, post) = (Latch(), Latch())
                loop.schedule(after: .milliseconds(1)) { timer.signal() }
                loop.execute { post.signal() }
                wait(post, target: loop)
                wait(timer, target: loop)
                done.signal()
            }
            _ = done.wait()
        }
    }

    /// B1: debug builds name the program's places of nested waits that hold each other up, not the
    /// library's, so that each pair is reported.
    @Test(.enabled(if: Machine.isDebug, "release builds say nothing"))
    func nestedWaitsAreReportedWithTheirCallSites() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let errors = Errors()
                for line in [UInt(2_001), 2_002] {
                    let loop = try Loop()
                    let (outer, inner, ended) = (Latch(), Latch(), Gate())
                    loop.execute {
                        wait(outer, file: "Outer.swift", line: line)
                        ended.open()
                    }
                    loop.execute {
                        outer.signal()
                        wait(inner, file: "Inner.swift", line: line)
                    }
                    let text = errors.line()
                    require(text.hasPrefix("Inner.swift:\(line): Swivel: this wait"), text)
                    require(text.contains("inside the wait at Outer.swift:\(line),"), text)
                    inner.signal()
                    ended.wait()
                    loop.shutdown()
                }
            }
        }
    }

    /// A wait on a loop for a queue, a worker for a loop, a queue for the main queue, and so on.
    @Test func contextsWaitForEachOther() async {
        await #expect(processExitsWith: .success) {
            giveUpLater(EXIT_FAILURE)
            let loop = try Loop()
            let contexts: [any ExecutionContext] = [
                loop, DispatchQueue(label: "test.waiting"), DispatchQueue.main, WorkerPool.shared,
                OperationQueue(), DispatchBackend(DispatchQueue(label: "test.backend")),
                AnyContext(loop), DispatchQueue.global(),
            ]
            for (number, waiting) in contexts.enumerated() {
                for (other, working) in contexts.enumerated() where number != other {
                    let done = Latch()
                    waiting.execute {
                        let latch = Latch()
                        working.execute { latch.signal() }
                        wait(latch, target: working)
                        done.signal()
                    }
                    _ = done.wait()
                }
            }
        }
    }

    /// A wait whose latch opens before the probes are through does not trap.
    @Test func aLatchThatOpensDuringTheProbesPasses() {
        let queue = DispatchQueue(label: "test.serial")
        let done = Gate()
        queue.async {
            let latch = Latch()
            DispatchQueue.global().async { latch.signal() }
            wait(latch, target: queue)
            done.open()
        }
        done.wait()
    }

    /// The need for the queue may have ended when the probes are through: the wait asks again.
    @Test(arguments: [false, true])
    func aNeedThatEndsDuringTheProbesPasses(wrapped: Bool) {
        let (queue, latch, asked) = (DispatchQueue(label: "test.serial"), Latch(), Counter())
        let context: any ExecutionContext = wrapped ? AnyContext(queue) : queue
        _ = queue.sync {
            Waiting.wait(
                for: latch,
                needing: {
                    if asked.add() == 1 { return [context] }
                    DispatchQueue.global().async { latch.signal() }
                    return []
                }, operation: "wait()", file: #fileID, line: #line)
        }
        #expect(asked.value > 1)
    }

    /// With a deadline the wait ends by itself, on the queue that it waits for too.
    @Test func aWaitWithADeadlineEndsByItself() throws {
        let queue = DispatchQueue(label: "test.serial")
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        let loop = try Loop()
        let done = Gate()
        for context in [queue, operations, loop, .main, .background] as [any ExecutionContext] {
            context.execute(
                probe.work {
                    let deadline = LoopClock.Instant.now.advanced(by: .milliseconds(2))
                    #expect(!wait(Latch(), until: deadline, target: context))
                    #expect(LoopClock.Instant.now >= deadline)
                    done.open()
                })
        }
        done.wait(times: 5)
        loop.shutdown()
    }

    @Test func aWaitForTheCallersOwnContextIsKnown() throws {
        let queue = DispatchQueue(label: "test.serial")
        let loop = try Loop.manual()
        #expect(queue.sync { queue.isCurrent })
        #expect(!queue.isCurrent && !WorkerPool.shared.isCurrent)
        let answer = Shared(false)
        loop.execute { answer.value = loop.isCurrent }
        loop.advance(by: .zero)
        #expect(answer.value)
    }
}

/// Ends an exit test with `status` if a wait hangs.
func giveUpLater(_ status: Int32, seconds: Double = 20) {
    let deadline = DispatchTime.now() + seconds
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: deadline) { exit(status) }
}
