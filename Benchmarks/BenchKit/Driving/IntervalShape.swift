// SPDX-License-Identifier: Apache-2.0
/// Repeating timers that all run for the same time, their phases spread over one interval.
package struct IntervalShape: Sendable {
    package let count: Int
    /// Nanoseconds from one tick to the next.
    package let interval: Int
    /// How many ticks each timer is due.
    package let ticks: Int

    package init(count: Int, interval: Int, ticks: Int) {
        self.count = count
        self.interval = interval
        self.ticks = ticks
    }

    /// The steps of a side: `arm` arms every timer, of which number `i` ticks first `phase(i)` after the
    /// instant and counts in the place with its number; `close` cancels them and closes the loop.
    package typealias Steps = (
        arm: (_ begin: UInt64, _ places: Places) throws -> Void, close: () throws -> Void
    )

    /// When timer `index` first ticks, in nanoseconds after the common start.
    package func phase(_ index: Int) -> Int { interval * (index &* 7919 % count) / count }

    /// Measures from the common start until half an interval after the last tick that counts.
    ///
    /// - Parameters:
    ///   - lead: nanoseconds that arming may take; where it takes longer, or this thread oversleeps,
    ///     everything is done again with twice as much.
    ///   - steps: makes the steps anew for each attempt.
    package func measure(lead: UInt64, _ steps: () throws -> Steps) throws -> Measurement {
        var lead = lead
        for _ in 0..<5 {
            let places = Places(count)
            let attempt = try steps()
            let begin = Clocks.wall() + lead
            try attempt.arm(begin, places)
            let isInTime = Clocks.wall() + 1_000_000 < begin
            let core = isInTime ? coreWhileTicking(from: begin) : nil
            try attempt.close()
            Settle.untilIdle()
            if let core { return try measurement(core: core, places) }
            lead *= 2
        }
        throw TooBusy(
            description: "arming took over \(lead / 2_000_000) ms, or the end was late")
    }

    /// The share of a core that the process uses, in percent. `nil`: this thread woke so late that
    /// timers tick once too often.
    private func coreWhileTicking(from begin: UInt64) -> Double? {
        Clocks.pause(until: begin - 500_000)
        let (cpu, wall) = (Clocks.processCPU(), Clocks.wall())
        let end = begin + UInt64(interval * ticks + interval / 2)
        Clocks.pause(until: end)
        guard Clocks.wall() < end + UInt64(interval / 4) else { return nil }
        return 100 * Double(Clocks.elapsed(from: cpu, to: Clocks.processCPU()))
            / Double(Clocks.elapsed(from: wall, to: Clocks.wall()))
    }

    /// The result of the places, once nothing writes to them any more.
    package func measurement(core: Double, _ places: Places) throws -> Measurement {
        var measurement = Measurement()
        // Half of the timers tick once more within the grace: that does not count.
        let seen = places.sum(cappedAt: ticks)
        measurement[.ticks] = 100 * Double(seen) / Double(count * ticks)
        measurement[.core] = core
        try measurement.check(
            "timers that ticked too often", places.placesAbove(UInt32(ticks + 1)), is: 0)
        return measurement
    }
}
