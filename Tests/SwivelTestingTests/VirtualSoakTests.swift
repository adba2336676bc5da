// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTesting
import Testing

@Suite struct VirtualSoakTests {
    /// Ten years of a thousand repeating timers, with intervals between a minute and four weeks to
    /// the nanosecond: each ticks exactly as often as its interval fits.
    @Test(.timeLimit(.minutes(5))) func tenYearsOfAThousandIntervals() throws {
        let years = Duration.seconds(10 * 365 * 86_400 + 2 * 86_400)
        let seed = UInt64.random(in: .min ... .max)
        print("tenYearsOfAThousandIntervals: seed \(seed)")
        var random = SplitMix64(seed: seed)
        let loop = try Loop.manual()
        let intervals = (0..<1000).map { _ in
            Duration.nanoseconds(
                Int64.random(in: 60_000_000_000...2_419_200_000_000_000, using: &random))
        }
        let counts = Counts(1000)
        for (number, interval) in intervals.enumerated() {
            loop.schedule(every: interval) { tick in
                counts.note(number, tick.index, late: tick.lateness != .zero)
            }
        }
        let begin = ContinuousClock.now
        loop.advance(by: years)
        let took = begin.duration(to: .now)
        let expected = intervals.map { Int(years / $0) }
        #expect(counts.numbers == expected)
        #expect(!counts.isBroken)
        print("tenYearsOfAThousandIntervals: \(counts.numbers.reduce(0, +)) ticks in \(took)")
    }

    /// How often each timer ticked. The loop's closures run on the test's thread.
    private final class Counts: @unchecked Sendable {
        // because one thread alone touches them: the one that advances the loop.
        private(set) var numbers: [Int]
        private(set) var isBroken = false

        init(_ count: Int) {
            numbers = Array(repeating: 0, count: count)
        }

        func note(_ number: Int, _ index: Int, late: Bool) {
            isBroken = isBroken || index != numbers[number] || late
            numbers[number] += 1
        }
    }
}
