// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A whole run: where it ran, what it ran, and its rows.
package struct Report: Sendable, Codable, Equatable {
    /// The machine, as far as it tells.
    package struct Machine: Sendable, Codable, Equatable {
        package var processor: String
        package var cores: Int
        package var memoryGiB: Int
        package var system: String
        package var architecture: String

        package init(
            processor: String, cores: Int, memoryGiB: Int, system: String, architecture: String
        ) {
            self.processor = processor
            self.cores = cores
            self.memoryGiB = memoryGiB
            self.system = system
            self.architecture = architecture
        }
    }

    package struct Versions: Sendable, Codable, Equatable {
        package var swift: String
        package var libuv: String
        package var swivel: String

        package init(swift: String, libuv: String, swivel: String) {
            self.swift = swift
            self.libuv = libuv
            self.swivel = swivel
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
    package var curves: [Curve]
    package var scenarios: [ScenarioNote]
    /// How quiet the machine was.
    package var check: MachineCheck?

    package init(
        machine: Machine, versions: Versions, commit: String, date: String, quick: Bool,
        asserted: [String], rows: [Row], reasons: [String: String] = [:],
        missing: [MissingRival] = [], failures: [String] = [], curves: [Curve] = [],
        check: MachineCheck? = nil, scenarios: [ScenarioNote] = []
    ) {
        self.failures = failures
        self.scenarios = scenarios
        self.curves = curves
        self.check = check
        self.reasons = reasons
        self.missing = missing
        self.machine = machine
        self.versions = versions
        self.commit = commit
        self.date = date
        self.quick = quick
        self.asserted = asserted
        self.rows = rows
    }

    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // JSON has no infinity, and a round may have that ratio: Swivel needed nothing.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.infinite, negativeInfinity: "-", nan: "nan")
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.infinite, negativeInfinity: "-", nan: "nan")
        self = try decoder.decode(Report.self, from: json)
    }

    private static let infinite = "infinite"

    /// Reports of earlier versions lack what those versions did not measure.
    package init(from decoder: any Decoder) throws {
        let report = try decoder.container(keyedBy: CodingKeys.self)
        machine = try report.decode(Machine.self, forKey: .machine)
        versions = try report.decode(Versions.self, forKey: .versions)
        commit = try report.decode(String.self, forKey: .commit)
        date = try report.decode(String.self, forKey: .date)
        quick = try report.decode(Bool.self, forKey: .quick)
        asserted = try report.decode([String].self, forKey: .asserted)
        rows = try report.decode([Row].self, forKey: .rows)
        reasons = try report.decodeIfPresent([String: String].self, forKey: .reasons) ?? [:]
        missing = try report.decodeIfPresent([MissingRival].self, forKey: .missing) ?? []
        failures = try report.decodeIfPresent([String].self, forKey: .failures) ?? []
        curves = try report.decodeIfPresent([Curve].self, forKey: .curves) ?? []
        scenarios = try report.decodeIfPresent([ScenarioNote].self, forKey: .scenarios) ?? []
        check = try report.decodeIfPresent(MachineCheck.self, forKey: .check)
    }

    /// The row that a budget or a chart asks for.
    package func row(_ key: String) -> Row? { rows.first { $0.key == key } }
}
