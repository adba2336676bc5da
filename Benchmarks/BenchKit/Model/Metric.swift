// SPDX-License-Identifier: Apache-2.0
/// Something that is measured, its unit, and which way is better.
package struct Metric: Hashable, Sendable {
    /// The winner of two values.
    package enum Better: Sendable { case lower, higher }

    package let name: String
    package let unit: String
    /// The metric in words.
    package let meaning: String
    package let better: Better

    private init(_ name: String, _ unit: String, _ meaning: String, _ better: Better = .lower) {
        self.name = name
        self.unit = unit
        self.meaning = meaning
        self.better = better
    }

    package static let cpu = Metric(
        "cpu", "ns/op", "processor time of the whole process per operation")
    package static let wall = Metric("wall", "ns/op", "elapsed time per operation")
    package static let p50 = Metric("p50", "ns", "the median of many single times")
    package static let p90 = Metric("p90", "ns", "the time that one in ten exceeds")
    package static let p99 = Metric("p99", "ns", "the time that one in a hundred exceeds")
    package static let early = Metric("early", "fires", "timers that fired before their deadline")
    package static let ticks = Metric(
        "ticks", "%", "ticks of repeating timers that happened, of those due", .higher)
    package static let drift = Metric(
        "drift", "ns", "how far the farthest tick's instant lies from its place on the grid")
    package static let core = Metric(
        "core", "% of a core", "processor time of the whole process against elapsed time")
    package static let bytes = Metric("bytes", "B/timer", "private memory per outstanding timer")
    package static let growth = Metric(
        "growth", "% left", "the rest of the growth of private memory after all was cancelled")
    package static let left = Metric(
        "left", "B/timer left", "private memory that one cancelled timer leaves behind")
    package static let systemCalls = Metric(
        "system calls", "calls/op", "system calls of the process per operation")
    package static let allocations = Metric(
        "allocations", "mallocs/op", "calls to the allocator per operation")

    /// Every metric there is.
    package static let all: [Metric] = [
        cpu, wall, p50, p90, p99, early, ticks, drift, core, bytes, growth, left,
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
