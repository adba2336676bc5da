// SPDX-License-Identifier: Apache-2.0

extension Metric {
    /// The metric of this name; `nil` if there is none.
    package static func named(_ name: String) -> Metric? { all.first { $0.name == name } }

    /// Whether it is counted and comes out alike on every machine: few rounds tell it, and Swivel's
    /// own figure. Sleeps and preemptions are counted too, but depend on what else runs.
    package var isCount: Bool {
        [.allocations, .instructions, .bytes, .growth, .left, .early, .drift].contains(self)
    }

    /// Whether no other work on the machine changes it: to measure it once more would hide a fault.
    package var isExact: Bool { tellsWorst || [.allocations, .instructions].contains(self) }

    /// The difference between two counts that is noise.
    func noise(beside count: Double) -> Double {
        switch self {
        case .bytes, .instructions: count * Comparison.threshold
        // Pages that the allocator keeps for itself come to a few bytes a timer. A timer that
        // leaves its node or its closure behind leaves 32 or more.
        case .left: 8
        // A sleep in ten operations, of a machine that does something else too.
        case .sleeps, .preemptions: 0.1
        // Half an operation's worth, or half a percent.
        default: 0.5
        }
    }
}
