// SPDX-License-Identifier: Apache-2.0

/// Repeating timers that all run for the same time, their phases spread over one interval.
package struct IntervalShape: Sendable {
    package let count: Int
    /// Nanoseconds from one tick to the next.
    package let interval: Int
    /// How many ticks each timer is due.
    package let ticks: Int

    /// Nanoseconds that arming all of them may take, on whichever side is slowest.
    package var lead: UInt64 { 50_000_000 + UInt64(count) * 15_000 }

    package init(count: Int, interval: Int, ticks: Int) {
        self.count = count
        self.interval = interval
        self.ticks = ticks
    }

    /// When timer `index` first ticks, in nanoseconds after the common start. No phase lies within
    /// a hair of the next interval's begin.
    package func phase(_ index: Int) -> Int { interval * (index &* 7919 % count) / count }

    /// Measures from the common start until half an interval after the last tick that counts.
    ///
    /// - Parameters:
    ///   - begin: the common start on the monotonic clock; everything is armed before it.
    ///   - places: where each timer counts its ticks, in its own loop's or queue's closures.
    /// - Returns: what makes the measurement, to be called after the timers were cancelled and
    ///   nothing writes to `places` any more.
    package func measure(from begin: UInt64, _ places: Places) -> () throws -> Measurement {
        Clocks.pause(until: begin - 1_000_000)
        let (cpu, wall) = (Clocks.processCPU(), Clocks.wall())
        Clocks.pause(until: begin + UInt64(interval * ticks + interval / 2))
        let (cpuAtEnd, wallAtEnd) = (Clocks.processCPU(), Clocks.wall())
        return {
            guard wall < begin else {
                throw BenchFailure("arming \(count) intervals took until after their start")
            }
            // Half of the timers tick once more within the grace: that does not count.
            let seen = places.sum(cappedAt: ticks)
            var measurement = Measurement()
            measurement[.ticks] = 100 * Double(seen) / Double(count * ticks)
            measurement[.core] = 100 * Double(cpuAtEnd - cpu) / Double(wallAtEnd - wall)
            try measurement.check(
                "timers that ticked at all", places.placesUsed, is: count)
            return measurement
        }
    }
}
