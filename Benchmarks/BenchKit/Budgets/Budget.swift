// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The limit that one row must reach, and its aim.
package struct Budget: Sendable, Codable, Equatable {
    /// How `must` and `aim` are meant.
    package enum Form: String, Sendable, Codable {
        /// Swivel is at least this many times better.
        case ratioAtLeast = "ratio at least"
        /// Swivel needs at most this share of what the rival needs: the ratio the other way round.
        case shareAtMost = "share at most"
        /// Swivel's own median is no more than this.
        case valueAtMost = "value at most"
        /// Swivel's own median is less than this.
        case valueBelow = "value below"
        /// Swivel's own median is no less than this.
        case valueAtLeast = "value at least"
        /// Swivel's own median is this and nothing else.
        case valueExactly = "value exactly"
    }

    /// A limit and how it is meant.
    package struct Limit: Sendable, Codable, Equatable {
        package var form: Form
        package var must: Double

        package init(form: Form, must: Double) {
            self.form = form
            self.must = must
        }
    }

    package var scenario: String
    package var variant: String
    package var metric: String
    package var rival: String
    package var form: Form
    package var must: Double
    package var aim: Double?
    /// The limit while another process keeps a processor busy; `nil`: the same.
    package var besideBusy: Limit?
    /// Whether it is about an idle machine and no other; `nil`: it is not.
    package var onlyIdle: Bool?
    /// Whether its row takes too long for a quick run; `nil`: it does not.
    package var notQuick: Bool?

    package init(
        scenario: String, variant: String, metric: String, rival: String, form: Form,
        must: Double, aim: Double? = nil, besideBusy: Limit? = nil, onlyIdle: Bool? = nil,
        notQuick: Bool? = nil
    ) {
        self.notQuick = notQuick
        self.scenario = scenario
        self.variant = variant
        self.metric = metric
        self.rival = rival
        self.form = form
        self.must = must
        self.aim = aim
        self.besideBusy = besideBusy
        self.onlyIdle = onlyIdle
    }

    /// The key of the row that it is about.
    package var key: String { Row.key(scenario, variant, metric, rival) }

    /// The row's figure in the budget's own terms. A ratio that no number can express is infinite.
    package func figure(of row: Row) -> Double {
        switch form {
        case .ratioAtLeast: row.ratio ?? .infinity
        case .shareAtMost: 1 / (row.ratio ?? .infinity)
        case .valueAtMost, .valueBelow, .valueAtLeast, .valueExactly: row.subjectMedian
        }
    }

    /// Whether a figure reaches a limit, `must` or `aim`.
    package func isReached(_ limit: Double, by figure: Double) -> Bool {
        switch form {
        case .ratioAtLeast, .valueAtLeast: figure >= limit
        case .shareAtMost, .valueAtMost: figure <= limit
        case .valueBelow: figure < limit
        case .valueExactly: figure == limit
        }
    }
}

/// The contents of `Budgets.json`.
package struct Budgets: Sendable, Codable, Equatable {
    /// Fewer rounds than this prove nothing.
    package static let fewestRounds = 5
    /// Counts come out alike each time: the three rounds of a quick run see whether they do.
    package static let fewestRoundsOfCounts = 3

    package var budgets: [Budget]

    package init(_ budgets: [Budget]) { self.budgets = budgets }

    package init(json: Data) throws {
        self = try JSONDecoder().decode(Budgets.self, from: json)
    }

    /// The budgets that hold while another process keeps a processor busy.
    package var besideBusy: Budgets {
        Budgets(
            budgets.filter { $0.onlyIdle != true }.map { budget in
                var budget = budget
                if let limit = budget.besideBusy {
                    (budget.form, budget.must, budget.aim) = (limit.form, limit.must, nil)
                }
                return budget
            })
    }

    /// The budget for a row, if there is one.
    package func budget(for key: String) -> Budget? { budgets.first { $0.key == key } }
}
