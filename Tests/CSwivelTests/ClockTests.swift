// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Testing

@Suite struct ClockTests {
    @Test func theCounterIsNeverBehindTheSystemsClock() {
        let result = swivel_clock_watch(3_000_000)
        #expect(result.behind == 0, "worst by \(result.worst_behind_ns) ns")
        #expect(result.back == 0, "never goes back between two anchors")
    }

    @Test func itIsNotBehindOnSeveralThreadsEither() async throws {
        let results = try await onThreads(4) { _ in swivel_clock_watch(500_000) }
        #expect(results.allSatisfy { $0.behind == 0 })
    }

    @Test func itHoldsOverRestsOfTheThread() {
        let result = swivel_clock_watch_with_rests(60)
        #expect(result.behind == 0)
    }

    @Test func aManualClockStandsStillAndOnlyGoesForward() {
        var clock = swivel_clock()
        swivel__clock_start(&clock, true, 77)
        #expect(swivel__clock_exact(&clock) == 77)
        #expect(swivel__clock_ahead(&clock) == 77)
        swivel__clock_set(&clock, 100)
        #expect(swivel__clock_ahead(&clock) == 100)
        swivel__clock_set(&clock, 50)
        #expect(swivel__clock_exact(&clock) == 100)
    }

    @Test func sumsSaturate() {
        #expect(swivel__saturating_add(1, 2) == 3)
        #expect(swivel__saturating_add(.max - 1, 1) == UInt64.max)
        #expect(swivel__saturating_add(.max, 1) == UInt64.max)
        #expect(swivel__saturating_add(1 << 63, 1 << 63) == UInt64.max)
    }

    @Test func theSystemsClockIsMonotonicAndRuns() {
        var before = swivel_now_ns()
        for _ in 0..<100_000 {
            let now = swivel_now_ns()
            #expect(now >= before)
            before = now
        }
    }
}
