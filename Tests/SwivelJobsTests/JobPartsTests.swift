// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelJobs
import SwivelTestSupport
import Testing

/// Reports, cancels and starts that meet the end of a part, or of the whole.
@Suite(.offPool) struct JobPartsTests {
    /// A listener ends the part in the middle of its report, which reaches the whole after the end.
    @Test func aReportThatComesAfterItsPartsEndDoesNotCount() {
        let (first, second) = (JobHand<Int, JobFault>(), JobHand<Int, JobFault>())
        let seen = Shared<[Double]>()
        let part = first.make().onProgress {
            if $0.fraction == 0.25 { first.succeed(1) }
        }
        let whole = Job.concurrent([part, second.make()])
        whole.onProgress { seen.append($0.fraction) }
        whole.execute()
        first.report(0.25)
        #expect(part.state == .completed)
        second.report(0.25)
        second.report(0.5)
        #expect(seen.value == [0.5, 0.625, 0.75])
    }

    /// A cancel meets the start of each part; then none goes on.
    @Test func aPartThatStartsWhileItsWholeIsCancelledIsStopped() {
        for round in 0..<Machine.scaled(2_000) {
            let hands = (0..<30).map { _ in JobHand<Int, JobFault>() }
            let parts = hands.map { $0.make() }
            let whole = Job.concurrent(parts)
            onThreads(2) { thread in
                if thread == 0 { return _ = whole.execute() }
                while hands[round % 20].executions == 0 {}
                whole.cancel()
            }
            #expect(parts.allSatisfy { $0.state != .executing }, "round \(round)")
        }
    }
}
