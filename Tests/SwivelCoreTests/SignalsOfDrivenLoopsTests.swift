// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Signals of a loop that somebody else drives, in processes of their own: a signal is for the whole
/// process.
@Suite struct SignalsOfDrivenLoopsTests {
    /// The thread that sends it is another one, and the loop is stopped before that: its driver
    /// is told.
    @Test func aStoppedLoopTellsOfASignal() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, heard) = (try Loop.embedded(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                loop.runOnce(.noWait)
                let (round, sent) = (Counter(), Counter())
                let rounds = Machine.scaled(2_000)
                let sender = TestThread {
                    for number in 1...rounds {
                        while round.value < number { sched_yield() }
                        // At any of the microseconds that a drive takes.
                        let instant = SuspendingClock.now + .nanoseconds(number * 7_919 % 9_000)
                        while SuspendingClock.now < instant {}
                        raiseHere(SIGUSR1)
                        sent.add()
                    }
                }
                for number in 1...rounds {
                    loop.execute { loop.stop() }
                    round.add()
                    loop.run()
                    while sent.value < number { sched_yield() }
                    if heard.value == number { continue }
                    var descriptor = pollfd(
                        fd: loop.fileDescriptor, events: Int16(POLLIN), revents: 0)
                    // At once: the next look at all watches would find it, too.
                    require(poll(&descriptor, 1, 0) == 1, "the host is not notified")
                    while heard.value < number { loop.runOnce(.noWait) }
                }
                sender.join()
            }
        }
    }

    /// A host that sleeps on the loop's descriptor receives a signal at once, on any thread on which it
    /// comes.
    @Test func aSignalMakesTheDescriptorReady() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, heard) = (try Loop.embedded(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                func isReady() -> Bool {
                    var descriptor = pollfd(
                        fd: loop.fileDescriptor, events: Int16(POLLIN), revents: 0)
                    return poll(&descriptor, 1, 0) == 1
                }
                for number in 1...20 {
                    repeat { loop.runOnce(.noWait) } while isReady()
                    let sender = TestThread { raiseHere(SIGUSR1) }
                    sender.join()
                    require(isReady(), "the host sleeps on")
                    while heard.value < number { loop.runOnce(.noWait) }
                }
            }
        }
    }
}
