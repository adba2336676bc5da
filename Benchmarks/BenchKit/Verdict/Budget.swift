// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A gate: the limit that one row must reach.
package struct Budget: Sendable, Codable, Equatable {
    /// How `must` is meant.
    package enum Form: String, Sendable, Codable {
        /// Swivel is at least this many times better.
        case ratioAtLeast = "ratio at least"
        /// Swivel needs at most this share of what the rival needs: the ratio the other way round.
        case shareAtMost = "share at most"
        /// Swivel's own figure is no more than this.
        case valueAtMost = "value at most"
        /// Swivel's own figure is less than this.
        case valueBelow = "value below"
        /// Swivel's own figure is this and nothing else.
        case valueExactly = "value exactly"
    }

    package var scenario: String
    package var variant: String
    package var metric: String
    package var rival: String
    package var form: Form
    package var must: Double
    /// Whether its row takes too long for a quick run; `nil`: it does not.
    package var notQuick: Bool?

    /// The key of the row that it is about.
    package var key: String { Row.key(scenario, variant, metric, rival) }

    /// The row's figure in the budget's own terms. A ratio that no number can express is infinite.
    package func figure(of row: Row) -> Double {
        switch form {
        case .ratioAtLeast: row.ratio ?? .infinity
        case .shareAtMost: 1 / (row.ratio ?? .infinity)
        case .valueAtMost, .valueBelow, .valueExactly: row.subjectMedian
        }
    }

    /// Whether a figure reaches the limit.
    package func isReached(by figure: Double) -> Bool {
        switch form {
        case .ratioAtLeast: figure >= must
        case .shareAtMost, .valueAtMost: figure <= must
        case .valueBelow: figure < must
        case .valueExactly: figure == must
        }
    }
}

/// The contents of `Budgets.json`.
package struct Budgets: Sendable, Codable, Equatable {
    package var budgets: [Budget]

    package init(_ budgets: [Budget]) { self.budgets = budgets }

    package init(json: Data) throws {
        self = try JSONDecoder().decode(Budgets.self, from: json)
    }

    /// The budget for a row, if there is one.
    package func budget(for key: String) -> Budget? { budgets.first { $0.key == key } }
}
