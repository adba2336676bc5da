// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A whole run: where it ran, what it ran, and its rows.
package struct Report: Sendable, Codable, Equatable {
    package struct Machine: Sendable, Codable, Equatable {
        package var processor: String
        package var cores: Int
        package var memoryGiB: Int
        package var system: String
        package var architecture: String
    }

    package struct Versions: Sendable, Codable, Equatable {
        package var swift: String
        package var libuv: String

        package init(swift: String, libuv: String) {
            self.swift = swift
            self.libuv = libuv
        }
    }

    package var machine: Machine
    package var versions: Versions
    package var commit: String
    package var date: String
    package var quick: Bool
    /// Keys of the rows whose counts were asserted in every round, on both sides.
    package var asserted: [String]
    package var rows: [Row]
    /// Why Swivel is worse, by the keys of the rows in which it is.
    package var reasons: [String: String]
    /// The rivals that did not take part.
    package var missing: [MissingRival]
    /// Contests and rivals that have no rows, and why.
    package var failures: [String]
    package var scenarios: [ScenarioNote]

    package init(
        machine: Machine, versions: Versions, commit: String, date: String, quick: Bool,
        asserted: [String], rows: [Row], reasons: [String: String] = [:],
        missing: [MissingRival] = [], failures: [String] = [], scenarios: [ScenarioNote] = []
    ) {
        self.machine = machine
        self.versions = versions
        self.commit = commit
        self.date = date
        self.quick = quick
        self.asserted = asserted
        self.rows = rows
        self.reasons = reasons
        self.missing = missing
        self.failures = failures
        self.scenarios = scenarios
    }

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

    /// The row with this key.
    package func row(_ key: String) -> Row? { rows.first { $0.key == key } }

    /// The rows in which Swivel is worse, the worst first.
    package var losses: [Row] {
        rows.filter(\.isLoss).sorted { ($0.ratio ?? 0) < ($1.ratio ?? 0) }
    }
}

/// A rival that did not take part in a run, and how it would.
package struct MissingRival: Sendable, Codable, Equatable {
    package var name: String
    package var remedy: String

    package init(_ name: String, _ remedy: String) {
        self.name = name
        self.remedy = remedy
    }
}

/// A scenario's name and its summary: one sentence, without its full stop.
package struct ScenarioNote: Sendable, Codable, Equatable {
    package var name: String
    package var summary: String

    package init(name: String, summary: String) {
        self.name = name
        self.summary = summary
    }
}
