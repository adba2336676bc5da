// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

/// Guarantee C6, and what else holds for timers whose closures run on a queue.
@Suite(.offPool) struct QueueTimerTests {
    private let queue = DispatchQueue(label: "test.timers")

    /// Returns when the shared loop has sent all that was due before.
    private func sendWhatIsDue() {
        let gate = Gate()
        Loop.shared.schedule(after: .milliseconds(2)) { gate.open() }
        gate.wait()
    }

    @Test func c6CancelWinsUntilTheClosureStartsOnTheQueue() {
        let probe = Probe()
        queue.suspend()
        let timer = queue.schedule(after: .microseconds(100), probe.work())
        let post = queue.schedule(after: .zero, probe.work())
        sendWhatIsDue()
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
        #expect(post.cancel() == .cancelled)
        #expect(probe.released == 2)
        #expect(!timer.isPending)
        queue.resume()
        queue.sync {}
        #expect(probe.ran == 0)
    }

    @Test func c6OnTheSerialQueueItselfACancelIsAbsolute() {
        let probe = Probe()
        let answers = queue.sync {
            let timer = queue.schedule(after: .microseconds(100), probe.work())
            sendWhatIsDue()
            return (timer.cancel(), timer.cancel())
        }
        #expect(answers == (.cancelled, .finished))
        #expect(probe.released == 1)
        queue.sync {}
        #expect(probe.ran == 0)
    }

    /// Its deadline is kept by the shared loop, which shows the timer itself.
    @Test func aQueuesTimerIsPending() throws {
        let probe = Probe()
        queue.schedule(every: .seconds(3_600), label: "hourly", probe.work { (_: Tick) in })
        let timer = try #require(Loop.shared.pending(limit: 10_000).first { $0.label == "hourly" })
        #expect(timer.kind == .every(.seconds(3_600)))
        #expect(try #require(timer.deadline) > .now.advanced(by: .seconds(3_000)))
        #expect(timer.handle?.cancel() == .cancelled)
        #expect(probe.released == 1)
        #expect(!Loop.shared.pending(limit: 10_000).contains { $0.label == "hourly" })
    }

    @Test func c6EveryRaceOfFireAndCancelHasOneWinner() {
        let probe = Probe()
        checkCancelRaces(on: queue, probe, rounds: 2_000, checks: 20) { round in
            queue.schedule(after: .microseconds(round % 60), probe.work())
        }
    }

    @Test func t1NoTimerIsEarlyAndT5AZeroDelayKeepsItsPlaceAmongPosts() {
        let order = Shared<[Int]>([])
        queue.sync {
            queue.schedule(after: .zero) { order.update { $0.append(0) } }
            queue.schedule(after: .seconds(-5)) { order.update { $0.append(1) } }
            #expect(order.value.isEmpty)
        }
        let gate = Gate()
        let deadline = Loop.shared.now + .milliseconds(3)
        queue.schedule(at: deadline) {
            #expect(Loop.shared.now >= deadline)
            gate.open()
        }
        gate.wait()
        #expect(order.value == [0, 1])
    }

    @Test func aRearmedTimerIsNotEarlyEvenWhenItIsOnItsWay() {
        let probe = Probe()
        queue.suspend()
        let timer = queue.schedule(after: .zero, probe.work())
        sendWhatIsDue()
        #expect(timer.rearm(after: .seconds(3600)))
        queue.resume()
        queue.sync {}
        #expect(probe.ran == 0)
        #expect(timer.isPending)
        #expect(timer.rearm(after: .zero))
        probe.waitForReleases()
        #expect(probe.ran == 1)
        #expect(!timer.rearm(after: .zero))
    }
}
