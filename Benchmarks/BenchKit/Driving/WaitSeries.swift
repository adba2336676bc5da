// SPDX-License-Identifier: Apache-2.0

/// Waits for a value, one after the other: the time that each takes, and what all of them cost the
/// process.
package struct WaitSeries: Sendable {
    /// The circumstances of the waits.
    package enum Setting: String, CaseIterable, Sendable {
        /// Each wait follows the one before at once.
        case backToBack = "back to back"
        /// Nobody looks for so long: every thread has gone to sleep before the next wait.
        case spaced = "every 2 ms"
        /// Back to back, beside a thread that keeps a core busy.
        case besideBusy = "one busy thread"
    }

    /// The metrics of each side. Of few waits the slowest in a hundred is one wait, and tells of the
    /// machine alone.
    package var metrics: [Metric] {
        [.wall, .cpu, .p50] + (count >= 1_000 ? [.p99] : []) + [.sleeps, .preemptions]
    }

    package let count: Int
    private let setting: Setting

    package init(_ setting: Setting = .backToBack, _ count: Int) {
        self.setting = setting
        self.count = count
    }

    /// Calls `wait` with the numbers from 0, which it has to give back.
    ///
    /// - Parameters:
    ///   - turns: runs all of them in one turn; `nil` is the calling thread.
    ///   - end: called after the last, in the time that is measured. It stops what would use CPU on.
    package func measure(
        on turns: Turns? = nil, _ wait: @escaping @Sendable (Int) -> Int,
        end: @escaping @Sendable () -> Void = {}
    ) throws -> Measurement {
        try measure { log in
            let series: @Sendable () -> Void = {
                log.begin()
                for trip in 0..<count {
                    log.rest()
                    log.end(wait(trip))
                }
                end()
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
                for trip in 0..<count {
                    log.rest()
                    log.end(await wait(trip))
                }
            }
        }
    }

    private func measure(_ body: (Log) -> Void) throws -> Measurement {
        let log = Log(pause: setting == .spaced ? 2_000_000 : 0)
        var span = Span.of(besideBusyThread: setting == .besideBusy) { body(log) }
        span.wall -= min(span.wall, log.paused.wall)
        span.cpu -= min(span.cpu, log.paused.cpu)
        span.switches?.sleeps -= log.pauses
        var measurement = log.times.measurement
        measurement.add(span, operations: count)
        try measurement.check("waits", log.times.count, is: count)
        try measurement.check("sum", log.sum, is: count * (count - 1) / 2)
        return measurement
    }

    private final class Log: @unchecked Sendable {
        // `@unchecked` because one wait is under way at a time, and everybody else reads after the
        // last.
        private(set) var times = Lateness()
        private(set) var sum = 0
        private(set) var pauses = 0
        private(set) var paused = Span(wall: 0, cpu: 0)
        private let pause: UInt64
        private var start: UInt64 = 0

        init(pause: UInt64) { self.pause = pause }

        func begin() { start = Clocks.wall() }

        /// Pauses before a wait that does not follow at once.
        func rest() {
            guard pause > 0 else { return }
            let (wall, cpu) = (Clocks.wall(), Clocks.threadCPU())
            Clocks.pause(pause)
            pauses += 1
            paused.wall += Clocks.elapsed(from: wall, to: Clocks.wall())
            paused.cpu += Clocks.elapsed(from: cpu, to: Clocks.threadCPU())
            begin()
        }

        /// Ends a wait. The clock is read once for each: two readings, which both threads of the
        /// quickest conversations wait for, were a tenth of what those cost.
        func end(_ value: Int) {
            let now = Clocks.wall()
            times.record(Int64(Clocks.elapsed(from: start, to: now)))
            start = now
            sum &+= value
        }
    }
}
