// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// What only the real clock shows. Nothing here is about how late something is.
@Suite(.offPool) struct TimingTests {
    private let probe = Probe()

    /// T4 with real time: whatever the lateness, index, instant and count agree.
    @Test func realLatenessAgreesWithTheIndex() throws {
        let loop = try Loop.embedded()
        let interval = Duration.milliseconds(2)
        let ticks = Shared<[Tick]>()
        let handle = loop.schedule(
            every: interval, probe.tick { tick in ticks.append(tick) })
        for _ in 0..<8 {
            busy(for: .milliseconds(5))
            loop.runOnce(.noWait)
        }
        handle.cancel()
        let seen = ticks.value
        #expect(seen.count >= 7)
        for (before, after) in zip(seen, seen.dropFirst()) {
            #expect(after.index == before.index + 1 + after.missed)
            #expect(
                after.scheduled
                    == seen[0].scheduled.advanced(by: interval * (after.index - seen[0].index)))
            #expect(after.lateness < interval)
        }
        #expect(loop.metrics.missed == seen.reduce(0) { $0 + $1.missed })
        loop.shutdown()
    }
}
