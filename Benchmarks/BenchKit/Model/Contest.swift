// SPDX-License-Identifier: Apache-2.0
/// One competitor: a name and the work it does in a round.
package struct Side: Sendable {
    package let name: String
    /// The metrics in which this side is compared; the subject has none.
    package let metrics: [Metric]
    /// Why Swivel loses to this rival, if the reason is known; otherwise the contest's holds.
    package let reason: String?
    /// Does the work once, on a loop or queue of its own, and leaves nothing behind.
    package let measure: @Sendable () throws -> Measurement

    package init(
        _ name: String, _ metrics: [Metric] = [], reason: String? = nil,
        measure: @escaping @Sendable () throws -> Measurement
    ) {
        self.name = name
        self.metrics = metrics
        self.reason = reason
        self.measure = measure
    }
}

/// Swivel and its rivals at the same work. All of them run in every round, so that a slow minute of
/// the machine slows all of them.
package struct Contest: Sendable {
    package let scenario: String
    package let variant: String
    package let subject: Side
    package let rivals: [Side]
    /// Whether its rivals keep what was cancelled until its deadline. Such contests run after all
    /// others.
    package let leavesTimersBehind: Bool
    /// Why Swivel loses, if the reason is known; printed with the rows that it loses.
    package let reason: String?

    package init(
        _ scenario: String, _ variant: String, subject: Side, rivals: [Side],
        leavesTimersBehind: Bool = false, reason: String? = nil
    ) {
        self.scenario = scenario
        self.variant = variant
        self.subject = subject
        self.rivals = rivals
        self.leavesTimersBehind = leavesTimersBehind
        self.reason = reason
    }

    /// The scenario and the variant, as its failures begin.
    var name: String { "\(scenario) / \(variant)" }

    /// The keys of the rows that it makes.
    package var rowKeys: [String] {
        rivals.flatMap { rival in
            rival.metrics.map { Row.key(scenario, variant, $0.name, rival.name) }
        }
    }

    /// Whether every metric is a count, which three rounds establish.
    var isCounted: Bool { rivals.allSatisfy { $0.metrics.allSatisfy(\.isCount) } }

    /// The same contest with those rivals alone that `isWanted` accepts.
    package func keeping(_ isWanted: (Side) -> Bool) -> Contest {
        Contest(
            scenario, variant, subject: subject, rivals: rivals.filter(isWanted),
            leavesTimersBehind: leavesTimersBehind, reason: reason)
    }
}
