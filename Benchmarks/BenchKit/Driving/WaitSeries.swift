// SPDX-License-Identifier: Apache-2.0
/// Waits for a value, one after the other: the time that each takes, and what all of them cost the
/// process.
package struct WaitSeries: Sendable {
    package static let metrics: [Metric] = [.wall, .cpu, .p50, .p99]

    package let count: Int
    private let gap: UInt64
    private let placement: Cores.Placement?

    /// - Parameters:
    ///   - gap: the nanoseconds for which the waiter sleeps before each wait.
    ///   - placement: where the waiting thread and the others are; `nil` is left to the kernel.
    package init(_ count: Int, gap: UInt64 = 0, _ placement: Cores.Placement? = nil) {
        self.count = count
        self.gap = gap
        self.placement = placement
    }

    /// Calls `wait` with the numbers from 0, which it has to return.
    ///
    /// - Parameter turns: runs all of them in one turn; `nil` is the calling thread.
    package func measure(
        on turns: Turns? = nil, _ wait: @escaping @Sendable (Int) -> Int
    ) throws -> Measurement {
        try measure { log in
            let series: @Sendable () -> Void = {
                if let placement {
                    // The threads of both sides are there before they are given their cores.
                    for trip in 0..<10 { _ = wait(trip) }
                    Cores.place(placement)
                }
                log.begin()
                for trip in 0..<count {
                    log.rest()
                    log.end(wait(trip))
                }
                if placement != nil { Cores.release() }
            }
            if let turns { turns.run(series) } else { series() }
        }
    }

    /// The same in a task of Swift's own pool.
    package func measureInTask(
        _ wait: @escaping @Sendable (Int) async -> Int
    ) throws -> Measurement {
        try measure { log in
            Awaited.run(on: nil) {
                log.begin()
                for trip in 0..<count { log.end(await wait(trip)) }
            }
        }
    }

    private func measure(_ body: (Log) -> Void) throws -> Measurement {
        let log = Log(gap: gap)
        var span = Span.of { body(log) }
        span.wall -= min(span.wall, log.paused.wall)
        span.cpu -= min(span.cpu, log.paused.cpu)
        var measurement = log.times.measurement
        measurement.add(span, operations: count)
        try measurement.check("waits", log.times.count, is: count)
        try measurement.check("sum", log.sum, is: count * (count - 1) / 2)
        return measurement
    }

    private final class Log: @unchecked Sendable {
        // `@unchecked` because one wait is under way at a time, and the rest reads after the last.
        private(set) var times = Lateness()
        private(set) var sum = 0
        private(set) var paused = Span(wall: 0, cpu: 0)
        private let gap: UInt64
        private var start: UInt64 = 0

        init(gap: UInt64) { self.gap = gap }

        func begin() { start = Clocks.wall() }

        /// Sleeps before a wait that does not follow at once; the sleep is taken off the result.
        func rest() {
            guard gap > 0 else { return }
            let (wall, cpu) = (Clocks.wall(), Clocks.threadCPU())
            Clocks.pause(gap)
            paused.wall += Clocks.elapsed(from: wall, to: Clocks.wall())
            paused.cpu += Clocks.elapsed(from: cpu, to: Clocks.threadCPU())
            begin()
        }

        /// Ends a wait. The clock is read once for each: a second reading was a tenth of the quickest.
        func end(_ value: Int) {
            let now = Clocks.wall()
            times.record(Int64(Clocks.elapsed(from: start, to: now)))
            start = now
            sum &+= value
        }
    }
}
