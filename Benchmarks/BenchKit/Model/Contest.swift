// SPDX-License-Identifier: Apache-2.0

/// One competitor: a name and the work it does in a round.
package struct Side: Sendable {
    package let name: String
    /// The row metrics in which this side is compared; for the subject it says nothing.
    package let metrics: [Metric]
    /// Why Swivel loses to this rival where it is known to; without one, the contest's holds.
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

/// Swivel and its rivals at the same work. All of them run in every round, so that what the
/// machine does meanwhile meets all of them alike.
package struct Contest: Sendable {
    package let scenario: String
    package let variant: String
    package let subject: Side
    package let rivals: [Side]
    /// How many times as many rounds as others it gets: more where each side takes milliseconds and
    /// the machine's neighbours move the single figure.
    package let weight: Int
    /// Whether its rivals keep what was cancelled until its deadline. Such contests run after all
    /// others, which would be measured beside what they keep.
    package let leavesTimersBehind: Bool
    /// Why Swivel loses where it is known to; printed with the rows that it loses.
    package let reason: String?

    package init(
        _ scenario: String, _ variant: String, subject: Side, rivals: [Side], weight: Int = 1,
        leavesTimersBehind: Bool = false, reason: String? = nil
    ) {
        self.reason = reason
        self.weight = weight
        self.leavesTimersBehind = leavesTimersBehind
        self.scenario = scenario
        self.variant = variant
        self.subject = subject
        self.rivals = rivals
    }

    /// The scenario and the variant, as its failures begin.
    var name: String { "\(scenario) / \(variant)" }

    /// The keys of the rows that it makes.
    package var rowKeys: [String] {
        rivals.flatMap { rival in
            rival.metrics.map { Row.key(scenario, variant, $0.name, rival.name) }
        }
    }

    /// Whether any of its metrics is a time.
    package var takesTime: Bool {
        rivals.contains { $0.metrics.contains(where: \.isTime) }
    }

    /// The same contest with only those rivals whose names are among `names`.
    package func keeping(rivals names: Set<String>) -> Contest {
        Contest(
            scenario, variant, subject: subject,
            rivals: rivals.filter { names.contains($0.name) }, weight: weight,
            leavesTimersBehind: leavesTimersBehind, reason: reason)
    }

    /// The same contest without the rivals of these names.
    package func leaving(out names: Set<String>) -> Contest {
        keeping(rivals: Set(rivals.map(\.name)).subtracting(names))
    }

    /// The same contest with only those rivals that make one of these rows; `nil` if none does.
    package func keeping(rows isWanted: (String) -> Bool) -> Contest? {
        let names = rivals.filter { rival in
            rival.metrics.contains { isWanted(Row.key(scenario, variant, $0.name, rival.name)) }
        }.map(\.name)
        return names.isEmpty ? nil : keeping(rivals: Set(names))
    }
}
