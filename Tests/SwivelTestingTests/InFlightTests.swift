// SPDX-License-Identifier: Apache-2.0
@testable import SwivelTesting
import Testing

/// The count of the work that a manual loop has in flight: V1.
@Suite struct InFlightTests {
    private let inFlight = InFlight()

    private func send() -> TrackedWork { TrackedWork(inFlight, .resumed) }

    /// A default actor queues itself again in the middle of its job, which may go on with another
    /// task: the job has returned when it returns.
    @Test func workWhoseJobIsQueuedAgainIsInFlight() {
        let first = send()
        first.run {
            send().run {}
            #expect(!inFlight.isZero)
        }
        #expect(inFlight.isZero)
    }

    /// Work that was given up takes nothing from later work when it returns.
    @Test func workThatWasGivenUpDoesNotCount() {
        let first = send()
        first.run {
            let second = send()
            #expect(inFlight.count(.resumed) == 2)
            inFlight.giveUp(.resumed)
            #expect(inFlight.isZero)
            send().run {
                second.run {}
                #expect(!inFlight.isZero)
                #expect(inFlight.count(.resumed) == 1)
                inFlight.giveUp(.resumed)
            }
        }
        #expect(inFlight.isZero)
        #expect(inFlight.count(.resumed) == 0)
    }
}
