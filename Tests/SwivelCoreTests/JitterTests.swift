// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Jitter delays single ticks and leaves the grid alone: T1, T3.
@Suite(.offPool) struct JitterTests {
    private let probe = Probe()

    private func delays(
        _ jitter: ClosedRange<Double>, ticks count: Int, interval: Duration = .milliseconds(10)
    ) throws -> [Duration] {
        let loop = try manualLoop()
        let delays = Shared<[Duration]>()
        loop.schedule(
            every: interval, jitter: jitter,
            probe.tick { tick in
                #expect(tick.index == delays.value.count && tick.missed == 0)
                #expect(tick.scheduled == epoch.advanced(by: interval * (tick.index + 1)))
                delays.append(loop.now - tick.scheduled)
            })
        loop.advance(by: interval * count + interval)
        loop.shutdown()
        return delays.value
    }

    /// T1, T3: never early, never later than the range, and no drift.
    @Test func jitterStaysInItsRangeAndTheGridStays() throws {
        let delays = try delays(0.1...0.5, ticks: 2_000)
        #expect(delays.count >= 2_000)
        #expect(delays.allSatisfy { $0 >= .microseconds(1_000) && $0 <= .microseconds(5_001) })
        #expect(Set(delays).count > 1_000, "it varies")
        #expect(delays.contains { $0 < .microseconds(1_500) })
        #expect(delays.contains { $0 > .microseconds(4_500) })
    }

    /// Enormous jitter saturates (T6).
    @Test func enormousJitterNeverFires() throws {
        let loop = try manualLoop()
        let handle = loop.schedule(every: .hours(1), jitter: 1e300...1e301, probe.work())
        loop.advance(by: .hours(100_000))
        #expect(probe.ran == 0)
        #expect(handle.cancel() == .cancelled)
    }
}
