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
        let file =
            path.map { URL(fileURLWithPath: $0) }
            ?? root?.appending(path: "Benchmarks/Budgets.json")
        guard let file else {
            throw ValidationError("no Budgets.json found from here: give one with --budgets")
        }
        return try Budgets(json: Data(contentsOf: file))
    }

    /// A report with everything but what was measured.
    func report(
        of outcome: RoundRunner.Outcome, isQuick: Bool, check: MachineCheck? = nil
    ) -> Report {
        Report(
            machine: Surroundings.machine(),
            versions: Report.Versions(
                swift: Surroundings.swiftVersion(), libuv: RawUV.version,
                swivel: Surroundings.release(in: root)),
            commit: Surroundings.commit(in: root),
            date: Date().ISO8601Format(), quick: isQuick, asserted: outcome.asserted,
            rows: outcome.rows, reasons: outcome.reasons, missing: LineUp.missing,
            curves: outcome.curves, check: check,
            scenarios: Catalogue.all.map { $0.note })
    }
}
