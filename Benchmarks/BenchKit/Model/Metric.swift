// SPDX-License-Identifier: Apache-2.0
/// Something that is measured, its unit, and which way is better.
package struct Metric: Hashable, Sendable {
    /// The winner of two values.
    package enum Better: Sendable { case lower, higher }

    package let name: String
    package let unit: String
    package let better: Better

    private init(_ name: String, _ unit: String, _ better: Better = .lower) {
        self.name = name
        self.unit = unit
        self.better = better
    }

    /// CPU time of the whole process for one operation: the measure where other threads take part.
    package static let cpu = Metric("cpu", "ns/op")
    /// Elapsed time for one operation.
    package static let wall = Metric("wall", "ns/op")
    /// The middle one of many single times.
    package static let p50 = Metric("p50", "ns")
    /// The time that one in ten exceeds.
    package static let p90 = Metric("p90", "ns")
    /// The time that one in a hundred exceeds.
    package static let p99 = Metric("p99", "ns")
    /// Times that a thread went to sleep, for one operation; a wake-up ended each of them.
    package static let sleeps = Metric("sleeps", "sleeps/op")
    /// Timers that fired before their deadline.
    package static let early = Metric("early", "fires")
    /// Ticks of repeating timers that happened, of those that should have.
    package static let ticks = Metric("ticks", "%", .higher)
    /// How far the farthest tick's instant lies from its place on the grid.
    package static let drift = Metric("drift", "ns")
    /// CPU time of the whole process against elapsed time: 100 is one core.
    package static let core = Metric("core", "% of a core")
    /// Private memory for one timer that stands by.
    package static let bytes = Metric("bytes", "B/timer")
    /// The rest of the growth of private memory after everything was cancelled.
    package static let growth = Metric("growth", "% left")
    /// Private memory that one cancelled timer leaves behind.
    package static let left = Metric("left", "B/timer left")
    /// System calls of the process for one operation.
    package static let systemCalls = Metric("system calls", "calls/op")
    /// Calls to the allocator for one operation.
    package static let allocations = Metric("allocations", "mallocs/op")

    /// Every metric there is.
    package static let all: [Metric] = [
        cpu, wall, p50, p90, p99, sleeps, early, ticks, drift, core, bytes, growth, left,
        systemCalls, allocations,
    ]

    /// The metric of this name; `nil` if there is none.
    package static func named(_ name: String) -> Metric? { all.first { $0.name == name } }

    /// Whether it is a count that hardly depends on what else the machine does.
    package var isCount: Bool {
        [.allocations, .systemCalls, .bytes, .growth, .left, .early, .ticks, .drift].contains(self)
    }

    /// The figure of several rounds: the median, or the worst where no round may be off.
    package func figure(of rounds: [Double]) -> Double {
        guard [.early, .ticks, .drift].contains(self) else { return Statistics.median(rounds) }
        return (better == .lower ? rounds.max() : rounds.min()) ?? .nan
    }

    /// How many times better the subject is than the rival: above 1, the subject wins.
    ///
    /// Two zeros are equal; a zero on one side alone gives infinity or zero.
    package func ratio(subject: Double, rival: Double) -> Double {
        if subject == rival { return 1 }
        switch better {
        case .lower: return rival / subject
        case .higher: return subject / rival
        }
    }
}
