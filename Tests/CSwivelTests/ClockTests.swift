// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Testing

@Suite struct ClockTests {
    @Test func theCounterIsNeverBehindTheSystemsClock() {
        let result = swivel_clock_watch(3_000_000)
        #expect(result.behind == 0, "worst by \(result.worst_behind_ns) ns")
        #expect(result.back == 0, "never goes back")
    }

    @Test func itIsNotBehindOnSeveralThreadsEither() async throws {
        let results = try await onThreads(4) { _ in swivel_clock_watch(500_000) }
        #expect(results.allSatisfy { $0.behind == 0 })
    }

    @Test func itHoldsOverRestsOfTheThread() {
        let result = swivel_clock_watch_with_rests(60)
        #expect(result.behind == 0)
    }

    // On a simulated machine, where nothing depends on the real clock.

    private func script(_ change: (inout swivel_clock_script) -> Void = { _ in })
        -> swivel_clock_script
    {
        var script = swivel_clock_script()
        script.seed = 7
        script.start_ns = 1_000_000_000
        script.readings = 20_000
        script.delayed_reading = .max
        script.stops_at = .max
        script.turn_ns = .max
        change(&script)
        return script
    }

    private func run(_ script: swivel_clock_script) -> swivel_clock_watched {
        var script = script
        return swivel_clock_fixture_run(&script)
    }

    private func expectSound(
        _ result: swivel_clock_watched, ahead: UInt64 = 1_050,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            result.behind == 0, "worst by \(result.worst_behind_ns) ns",
            sourceLocation: sourceLocation)
        #expect(result.back == 0, sourceLocation: sourceLocation)
        #expect(result.worst_ahead_ns <= ahead, sourceLocation: sourceLocation)
        #expect(result.counted > 0, "the counter is used", sourceLocation: sourceLocation)
    }

    /// Any reading may be delayed by another process, the first ones above all.
    @Test func aDelayBetweenTwoReadingsDoesNotPutTheClockBehind() {
        for delayed in 0..<100 as Range<UInt64> {
            for delay in [2_000, 100_000, 3_000_000] as [UInt64] {
                expectSound(
                    run(
                        script {
                            $0.delayed_reading = delayed
                            $0.delay_ns = delay
                        }))
            }
        }
        expectSound(
            run(
                script {
                    $0.delay_one_in = 50
                    $0.delay_ns = 3_000_000
                    $0.readings = 200_000
                }))
    }

    /// From one extreme of what the kernel can do to the other, in any moment.
    @Test func aSlewOfTheSystemsClockDoesNotPutItBehind() {
        for turn in 0..<200 as Range<UInt64> {
            let slews = [(0, 83_333), (0, 100_500), (-100_500, 100_500)] as [(Int64, Int64)]
            for (before, after) in slews {
                expectSound(
                    run(
                        script {
                            $0.readings = 5_000
                            $0.slew_ppm = before
                            $0.then_ppm = after
                            $0.turn_ns = 2_000_000 + turn * 7_919
                        }))
            }
        }
        let slower = script {
            $0.slew_ppm = 100_500
            $0.then_ppm = -100_500
            $0.turn_ns = 3_000_000
        }
        expectSound(run(slower), ahead: 2_000)
    }

    /// The rate is not believed any more, and measured again.
    @Test(arguments: [5_000, 50_000_000] as [UInt64])
    func aCounterThatStoodStillIsMeasuredAfresh(_ stop: UInt64) {
        let steady = run(script())
        let stopped = run(
            script {
                $0.stops_at = 10_000
                $0.stop_ns = stop
            })
        expectSound(stopped)
        #expect(stopped.counted < steady.counted - 100)
        #expect(stopped.counted > steady.counted / 2)
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
