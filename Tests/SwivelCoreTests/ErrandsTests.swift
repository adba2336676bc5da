// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The account of the work that a manual loop has sent away: V1.
@Suite struct ErrandsTests {
    private let errands = Errands()

    /// A default actor queues itself again in the middle of an errand, which may go on with another
    /// task: it has returned when it returns.
    @Test func anErrandWhoseJobIsQueuedAgainIsUnderWay() {
        let first = errands.send(.resumed, of: 5)
        first.run {
            errands.send(.resumed, of: 5).run {}
            #expect(!errands.isQuiet)
        }
        #expect(errands.isQuiet)
    }

    /// A report of who does not come back tells one task once.
    @Test func aTaskThatIsQueuedAgainIsGivenUpAsOne() {
        let first = errands.send(.resumed, of: 5)
        first.run {
            let second = errands.send(.resumed, of: 5)
            let other = errands.send(.resumed, of: 6)
            #expect(errands.giveUp(.resumed) == 2)
            #expect(errands.isQuiet)
            second.run {}
            other.run {}
        }
        errands.send(.resumed, of: 5).run { #expect(errands.count(.resumed) == 1) }
        #expect(errands.isQuiet)
    }

    /// An errand that was given up takes nothing from later ones when it returns.
    @Test func anErrandOfAnEarlierRoundDoesNotCount() {
        let first = errands.send(.resumed, of: 5)
        first.run {
            let second = errands.send(.resumed, of: 5)
            #expect(errands.giveUp(.resumed) == 1)
            errands.send(.resumed, of: 7).run {
                second.run {}
                #expect(!errands.isQuiet)
                #expect(errands.giveUp(.resumed) == 1)
            }
        }
        #expect(errands.isQuiet)
        #expect(errands.count(.resumed) == 0)
    }
}
