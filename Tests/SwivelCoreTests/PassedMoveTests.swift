// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// The library's own moves to instants that may have passed, as of limits: they are no posts.
@Suite(.offPool) struct PassedMoveTests {
    /// Moved into the past while its closure runs, a timer comes behind those that are due.
    @Test(arguments: [true, false])
    func aMoveIntoThePastOvertakesNothing(elsewhere: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        let subject = Shared<LoopTimer?>(nil)
        let at = loop.now.advanced(by: .milliseconds(10))
        subject.value = LoopTimer(on: loop) {
            order.append(0)
            guard order.value.count == 1 else { return }
            let move: @Sendable () -> Void = {
                _ = subject.value?.arm(at: epoch.advanced(by: .nanoseconds(1)))
            }
            if elsewhere { onThread(move) } else { move() }
        }
        subject.value?.arm(at: at)
        for number in 1...3 { loop.schedule(at: at) { order.append(number) } }
        loop.advance(by: .milliseconds(10))
        #expect(order.value == [0, 1, 2, 3, 0])
        subject.value = nil
        loop.shutdown()
    }

    /// Many threads that move a timer into the past without pause do not keep it from firing.
    @Test func movesIntoThePastDoNotHoldATimerUp() throws {
        let loop = try threadedLoop()
        let fired = Counter()
        let isOver = Shared(false)
        let timer = LoopTimer(on: loop) { fired.add() }
        let past = loop.now
        let threads = (0..<3).map { _ in
            TestThread { while !isOver.value { _ = timer.arm(at: past) } }
        }
        #expect(eventually { fired.value >= 1_000 })
        isOver.value = true
        threads.forEach { $0.join() }
        loop.shutdown()
    }
}
