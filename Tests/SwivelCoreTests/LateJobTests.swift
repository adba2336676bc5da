// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Tasks and actors whose loop is over: their jobs are never dropped.
@Suite(.offPool) struct LateJobTests {
    private let probe = Probe()

    /// Jobs that wait when the loop shuts down run while it closes, in order.
    @Test func jobsThatWaitRunWhileTheLoopCloses() throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        for number in 0..<10 {
            Task(executorPreference: loop.taskExecutor) {
                order.append(loop.isCurrent ? number : -1)
            }
        }
        loop.execute(probe.work())
        let report = loop.shutdown()
        #expect(order.value == Array(0..<10))
        #expect(report.cancelledPosts == 1)
        #expect(probe.ran == 0 && probe.live == 0)
    }

    @Test func aTaskEndsAfterItsLoop() async throws {
        let loop = try threadedLoop()
        let executor = loop.taskExecutor
        let steps = Counter()
        let isOver = Shared(false)
        let task = Task(executorPreference: executor) {
            while !isOver.value {
                steps.add()
                await Task.yield()
            }
            return loop.isCurrent
        }
        while steps.value < 100 { await Task.yield() }
        await loop.shutdown()
        let then = steps.value
        while steps.value < then + 100 { await Task.yield() }
        isOver.value = true
        #expect(await task.value == false)
        // And one that begins after the end.
        #expect(await Task(executorPreference: executor) { loop.isCurrent }.value == false)
    }

    /// A drain is not the end: jobs go on on the loop.
    @Test func jobsRunOnTheLoopWhileItDrains() throws {
        let loop = try manualLoop()
        let right = Counter()
        Task(executorPreference: loop.taskExecutor) {
            for _ in 0..<100 {
                right.add(loop.isCurrent ? 1 : 0)
                await Task.yield()
            }
        }
        loop.shutdown(.drain(within: .seconds(1)))
        #expect(right.value == 100)
    }
}
