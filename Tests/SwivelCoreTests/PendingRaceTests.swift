// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct PendingRaceTests {
    private let probe = Probe()

    /// Threads arm and cancel timers, whose labels stand for their intervals, while others look.
    @Test func aLabelIsNeverAnothers() throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        let line = StartingLine(3)
        let isOver = Shared(false)
        let armers = (0..<2).map { _ in
            TestThread { [probe] in
                line.lineUp()
                var rounds = 0
                while !isOver.value {
                    let one = loop.schedule(every: .seconds(1000), label: "thousand", probe.work {})
                    let other = loop.schedule(
                        every: .seconds(2000), label: "two thousand", probe.work {})
                    let unlabelled = loop.schedule(every: .seconds(3000), probe.work {})
                    one.cancel()
                    other.cancel()
                    unlabelled.cancel()
                    rounds += 1
                    // Two threads may be quicker than the loop, whose queue then grows and grows.
                    if rounds.isMultiple(of: 64) {
                        let hasCaughtUp = Gate()
                        loop.execute { hasCaughtUp.open() }
                        hasCaughtUp.wait()
                    }
                }
            }
        }
        line.lineUp()
        for _ in 0..<300 {
            for work in loop.pending(limit: 100) {
                guard let label = work.label else { continue }  // It was cancelled meanwhile.
                let interval = work.kind == .every(.seconds(1000)) ? "thousand" : "two thousand"
                #expect(label == interval && work.kind != .every(.seconds(3000)))
            }
        }
        isOver.value = true
        for armer in armers { armer.join() }
    }
}
