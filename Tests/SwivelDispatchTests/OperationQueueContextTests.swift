// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

@Suite(.offPool) struct OperationQueueContextTests {
    private func queue(width: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        return queue
    }

    /// The result of `body` in an operation of `queue`.
    private func inside<R: Sendable>(
        _ queue: OperationQueue, _ body: @escaping @Sendable () -> R
    ) -> R? {
        let result = Shared<R?>(nil)
        queue.execute { result.value = body() }
        queue.waitUntilAllOperationsAreFinished()
        return result.value
    }

    @Test func aQueueOfWidthOneIsCurrentInItsOperations() {
        let one = queue(width: 1)
        let two = queue(width: 1)
        #expect(!one.isCurrent)
        #expect(inside(one) { one.isCurrent } == true)
        #expect(inside(one) { two.isCurrent } == false)
    }

    @Test func aWiderQueueIsNeverCurrent() {
        for width in [2, OperationQueue.defaultMaxConcurrentOperationCount] {
            let wide = queue(width: width)
            #expect(inside(wide) { wide.isCurrent } == false)
        }
    }

    @Test func timersRunInOperations() {
        let one = queue(width: 1)
        let probe = Probe()
        one.schedule(after: .milliseconds(1), probe.work { #expect(one.isCurrent) })
        probe.waitForReleases()
        #expect(probe.ran == 1)
    }

    @Test func aTimerWhoseOperationIsCancelledIsOverAndReleased() {
        let one = queue(width: 1)
        one.isSuspended = true
        let probe = Probe()
        let timer = one.schedule(after: .zero, probe.work())
        while one.operationCount == 0 { sched_yield() }
        one.cancelAllOperations()
        one.isSuspended = false
        probe.waitForReleases()
        #expect(probe.ran == 0)
        #expect(!timer.isPending)
        #expect(timer.cancel() == .finished)
    }

    @Test func cancellingAllOperationsEndsARepeatWithATickInTheQueueAndNoOther() {
        let one = queue(width: 1)
        let ticks = Gate()
        let between = one.schedule(every: .seconds(3600), startingAfter: .zero) { ticks.open() }
        ticks.wait()
        one.waitUntilAllOperationsAreFinished()
        one.isSuspended = true
        let probe = Probe()
        let queued = one.schedule(every: .milliseconds(1), probe.work())
        while one.operationCount == 0 { sched_yield() }
        one.cancelAllOperations()
        one.isSuspended = false
        probe.waitForReleases()
        #expect(probe.ran == 0 && !queued.isPending)
        #expect(between.cancel() == .cancelled)
    }
}
