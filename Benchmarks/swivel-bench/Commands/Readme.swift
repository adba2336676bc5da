// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit

struct Readme: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the tables of README.md, from an earlier run.")

    @Argument(help: "The rows of the run, which --json has written.")
    var rows: String

    @Option(help: "Write the tables into this file, between the lines that mark their place.")
    var into: String?

    func run() throws {
        let report = try Files.report(at: rows)
        let tables = try ReadmeTables.markdown(report)
        guard let into else { return print(tables) }
        try Files.write(tables, between: ReadmeTables.marks, of: into)
    }
}
