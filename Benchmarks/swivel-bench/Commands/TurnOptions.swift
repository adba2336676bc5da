// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation

/// The way in which `compare` runs two commits.
struct TurnOptions: ParsableArguments {
    @Option(help: "How many turns each of two commits has (the default is 3).")
    var turns: Int?

    @Flag(help: "Full runs in place of quick ones: 20 minutes for each turn of a commit.")
    var full = false

    @Option(help: "Check the commits out and build them in this folder, and keep the builds.")
    var scratch: String?

    func validate() throws {
        if let turns, turns < 1 { throw ValidationError("--turns has to be at least 1") }
    }

    /// The option that was given, for a comparison that runs nothing.
    var given: String? {
        [("--turns", turns != nil), ("--full", full), ("--scratch", scratch != nil)]
            .first { $0.1 }?.0
    }

    func runs(in repository: URL, _ choice: Choice) -> CommitRuns {
        let process = ProcessInfo.processInfo.processIdentifier
        let temporary = FileManager.default.temporaryDirectory
        return CommitRuns(
            repository: repository,
            folder: scratch.map { URL(fileURLWithPath: $0).absoluteURL }
                ?? temporary.appending(path: "swivel-compare-\(process)"),
            keepsBuilds: scratch != nil,
            arguments: ["--no-curves"] + (full ? [] : ["--quick"]) + choice.arguments,
            turns: turns ?? 3)
    }
}
