// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The account of the work that a manual loop has sent away: V1.
@Suite struct ErrandsTests {
    private let errands = Errands()

    private func send() -> Errand { errands.send(.resumed) }

    /// A default actor queues itself again in the middle of an errand, which may go on with another
    /// task: it has returned when it returns.
    @Test func anErrandWhoseJobIsQueuedAgainIsUnderWay() {
        let first = send()
        first.run {
            send().run {}
            #expect(!errands.isQuiet)
        }
        #expect(errands.isQuiet)
    }

    /// An errand that was given up takes nothing from later ones when it returns.
    @Test func anErrandOfAnEarlierRoundDoesNotCount() {
        let first = send()
        first.run {
            let second = send()
            #expect(errands.count(.resumed) == 2)
            errands.giveUp(.resumed)
            #expect(errands.isQuiet)
            send().run {
                second.run {}
                #expect(!errands.isQuiet)
                #expect(errands.count(.resumed) == 1)
                errands.giveUp(.resumed)
            }
        }
        #expect(errands.isQuiet)
        #expect(errands.count(.resumed) == 0)
    }
}
