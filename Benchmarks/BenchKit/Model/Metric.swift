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
    /// The time that one in a hundred exceeds.
    package static let p99 = Metric("p99", "ns")
    /// Times that a thread went to sleep, for one operation; a wake-up ended each of them.
    package static let sleeps = Metric("sleeps", "sleeps/op")
    /// Times that a thread lost its core to another one, for one operation.
    package static let preemptions = Metric("preemptions", "preemptions/op")
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
    /// Calls to the allocator for one operation.
    package static let allocations = Metric("allocations", "mallocs/op")
    /// Instructions that the processor takes for one operation: in user space, where that is known
    /// apart.
    package static let instructions = Metric("instructions", "instructions/op")

    /// Every metric there is.
    package static let all: [Metric] = [
        cpu, wall, p50, p99, sleeps, preemptions, early, ticks, drift, core, bytes, growth, left,
        allocations, instructions,
    ]

    /// The figure of several rounds: the middle one. Of a promise that no round may break it is the
    /// worst.
    package func figure(of rounds: [Double]) -> Double {
        guard tellsWorst else { return Statistics.median(rounds) }
        return (better == .lower ? rounds.max() : rounds.min()) ?? .nan
    }

    /// The ratio of several rounds: the middle one. Of a promise it is that of the two figures.
    func ratio(of rounds: [Double], subject: Double, rival: Double) -> Double {
        tellsWorst ? ratio(subject: subject, rival: rival) : Statistics.median(rounds)
    }

    /// Whether it is a promise that no round may break.
    var tellsWorst: Bool { [.early, .ticks, .drift].contains(self) }

    /// Whether it is longer beside others on the same core.
    package var isTime: Bool { [.cpu, .wall, .p50, .p99, .core].contains(self) }

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
