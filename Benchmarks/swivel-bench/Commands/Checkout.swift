// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation
internal import Rivals

/// The checkout that the command belongs to: around the current folder, or around the executable.
struct Checkout {
    let root: URL?

    init() {
        let executable = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        root = Surroundings.folder(
            holding: "Benchmarks/Budgets.json", from: [current, executable])
    }

    /// The budgets at a path, or those of the checkout.
    func budgets(at path: String?) throws -> Budgets {
        guard let file = path ?? root?.appending(path: "Benchmarks/Budgets.json").path else {
            throw ValidationError("no Budgets.json found from here: give one with --budgets")
        }
        return try Files.budgets(at: file)
    }

    /// The same, and none away from any checkout: they are only shown.
    func budgetsIfAny(at path: String?) throws -> Budgets {
        guard path != nil || root != nil else { return Budgets([]) }
        return try budgets(at: path)
    }

    /// A report with everything but what was measured.
    func report(
        of outcome: RoundRunner.Outcome, isQuick: Bool, missing: [MissingRival]
    ) -> Report {
        Report(
            machine: Surroundings.machine(),
            versions: Report.Versions(
                swift: Surroundings.swiftVersion(), libuv: RawUV.version),
            commit: Surroundings.commit(in: root),
            date: Date().ISO8601Format(), quick: isQuick, asserted: outcome.asserted,
            rows: outcome.rows, reasons: outcome.reasons, missing: LineUp.missing + missing,
            failures: outcome.failures,
            scenarios: Catalogue.all.map { ScenarioNote(name: $0.name, summary: $0.summary) })
    }
}
