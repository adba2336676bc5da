// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The account of the work that a manual loop has sent away: V1.
@Suite struct ErrandsTests {
    private let errands = Errands()

    private func send(_ job: UInt, isYield: Bool = false) -> Errand {
        errands.send(.resumed, of: FollowedJob(address: job, isYield: isYield))
    }

    /// A default actor queues itself again in the middle of an errand, which may go on with another
    /// task: it has returned when it returns.
    @Test func anErrandWhoseJobIsQueuedAgainIsUnderWay() {
        let first = send(5)
        first.run {
            send(5).run {}
            #expect(!errands.isQuiet)
        }
        #expect(errands.isQuiet)
    }

    /// A report of who does not come back tells one task once.
    @Test func aTaskThatIsQueuedAgainIsGivenUpAsOne() {
        let first = send(5)
        first.run {
            let second = send(5)
            let other = send(6)
            #expect(errands.giveUp(.resumed) == 2)
            #expect(errands.isQuiet)
            second.run {}
            other.run {}
        }
        send(5).run { #expect(errands.count(.resumed) == 1) }
        #expect(errands.isQuiet)
    }

    /// `Task.yield()` queues a job of its own, which queues the task's: neither may have returned
    /// when the task goes on.
    @Test func aTaskThatYieldsIsGivenUpAsOne() {
        send(5).run {
            send(8, isYield: true).run {
                let next = send(5)
                #expect(errands.count(.resumed) == 3)
                #expect(errands.giveUp(.resumed) == 1)
                next.run {}
            }
        }
        #expect(errands.isQuiet)
    }

    /// An errand that was given up takes nothing from later ones when it returns.
    @Test func anErrandOfAnEarlierRoundDoesNotCount() {
        let first = send(5)
        first.run {
            let second = send(5)
            #expect(errands.giveUp(.resumed) == 1)
            send(7).run {
                second.run {}
                #expect(!errands.isQuiet)
                #expect(errands.giveUp(.resumed) == 1)
            }
        }
        #expect(errands.isQuiet)
        #expect(errands.count(.resumed) == 0)
    }
}
