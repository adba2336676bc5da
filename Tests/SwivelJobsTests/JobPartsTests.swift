// SPDX-License-Identifier: Apache-2.0
import Foundation
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

    /// A cancel comes between any two instructions of the parts' starts, as both threads share a
    /// processor. It stops them all.
    @Test func aPartThatStartsWhileItsWholeIsCancelledIsStopped() throws {
        let loops = try loopsOnOneProcessor()
        let current = Shared<Job<[Int], JobFault>?>(nil)
        let (begun, ended, wrong, done) = (Counter(), Counter(), Counter(), Gate())
        let ticks = loops[1].schedule(every: .microseconds(50), leeway: .zero) { _ in
            begun.add()
            current.value?.cancel()
            ended.add()
        }
        loops[0].execute {
            for _ in 0..<Machine.scaled(20_000, by: 4) {
                let hands = (0..<8).map { _ in JobHand<Int, JobFault>() }
                let parts = hands.map { $0.make() }
                let whole = Job.concurrent(parts)
                current.value = whole
                whole.execute()
                current.value = nil
                whole.cancel()
                // A cancel may not have ended.
                while ended.value < begun.value { sched_yield() }
                if parts.contains(where: { $0.state == .executing }) { wrong.add() }
            }
            done.open()
        }
        done.wait()
        #expect(wrong.value == 0)
        ticks.cancel()
        loops.forEach { $0.shutdown() }
    }
}

/// Two loops on the first processor that the process may use.
private func loopsOnOneProcessor() throws -> [Loop] {
    for processor in 0..<64 {
        guard let first = try? Loop(.init(name: "test.first", cpu: processor)) else { continue }
        return [first, try Loop(.init(name: "test.second", cpu: processor))]
    }
    return [try Loop(), try Loop()]
}
