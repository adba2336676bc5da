// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A whole run: where it ran, what it ran, and its rows.
package struct Report: Sendable, Codable, Equatable {
    package struct Machine: Sendable, Codable, Equatable {
        package var processor: String
        package var cores: Int
        package var system: String
        package var swift: String
        package var libuv: String
    }

    package var machine: Machine
    package var commit: String
    package var date: String
    package var quick: Bool
    /// Keys of the rows whose counts were asserted in every round, on both sides.
    package var asserted: [String]
    package var rows: [Row]
    /// Why Swivel is worse, by the keys of the rows in which it is.
    package var reasons: [String: String] = [:]
    /// The rivals that did not take part.
    package var missing: [Note] = []
    /// Contests and rivals that have no rows because they counted wrong or broke, and why.
    package var failures: [String] = []
    /// Contests and rivals that have no rows because the machine was too busy.
    package var unmeasured: [String] = []
    package var scenarios: [Note] = []
}

extension Report {
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // JSON has no infinity, which is a round's ratio where Swivel needed nothing.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinite", negativeInfinity: "-", nan: "nan")
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "infinite", negativeInfinity: "-", nan: "nan")
        self = try decoder.decode(Report.self, from: json)
    }

    /// Why a run was no success; `nil` if it was one.
    package var fault: String? {
        guard let first = failures.first else { return rows.isEmpty ? "nothing was measured" : nil }
        return failures.count == 1 ? first : "\(first); and \(failures.count - 1) more"
    }

    /// The rows in which Swivel is worse, the largest ratio first; those without a ratio last.
    package var losses: [Row] {
        rows.filter { $0.outcome == .worse }
            .sorted { ($0.finiteRatio ?? 1) < ($1.finiteRatio ?? 1) }
    }
}

/// A rival that took no part and how it would, or a scenario and its summary.
package struct Note: Sendable, Codable, Equatable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
