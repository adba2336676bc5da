// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation

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
    func budgetsIfAny() throws -> Budgets { root == nil ? Budgets([]) : try budgets(at: nil) }
}
