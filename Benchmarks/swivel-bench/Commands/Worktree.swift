// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation

/// A commit in a folder of its own, and the benchmark program built from it.
struct Worktree {
    /// A full hash.
    let commit: String
    /// The checkout whose commit it is.
    let repository: URL
    /// The folder of its sources, its build and its rows.
    let folder: URL

    private var sources: URL { folder.appending(path: "sources") }
    private var build: URL { folder.appending(path: "build") }
    private var short: String { String(commit.prefix(12)) }

    /// Checks the commit out and builds its program.
    func make() throws {
        // One that was interrupted has left its sources, and git remembers them.
        remove()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Tool.require(
            ["git", "worktree", "add", "--detach", sources.path, commit], in: repository)
        try Tool.require(
            [
                "swift", "build", "-c", "release", "--package-path", benchmarks.path,
                "--scratch-path", build.path, "--product", "swivel-bench",
            ] + Self.traits, in: benchmarks)
    }

    /// Runs the program once, and returns its rows.
    func run(_ arguments: [String], turn: Int) throws -> Report {
        let rows = folder.appending(path: "rows-\(turn).json")
        try? FileManager.default.removeItem(at: rows)
        let output = ["--json", rows.path, "--html", folder.appending(path: "page.html").path]
        let program = build.appending(path: "release/swivel-bench").path
        let code = try Tool.run(
            [program, "run"] + arguments + output, in: benchmarks, isQuiet: true)
        // With 2 some contest has failed, and the others have their rows.
        guard code == 0 || code == 2, let data = try? Data(contentsOf: rows) else {
            throw BenchFailure("the program of commit \(short) ended with \(code)")
        }
        do {
            return try Report(json: data)
        } catch {
            throw BenchFailure("the rows of commit \(short) cannot be read: \(error)")
        }
    }

    /// Takes the sources away, and leaves the build.
    func remove() {
        _ = Tool.output(
            of: ["git", "worktree", "remove", "--force", sources.path], in: repository)
        try? FileManager.default.removeItem(at: sources)
        _ = Tool.output(of: ["git", "worktree", "prune"], in: repository)
    }

    private var benchmarks: URL { sources.appending(path: "Benchmarks") }

    /// The traits that this program was built with.
    private static var traits: [String] {
        var names: [String] = []
        #if NIO
        names.append("NIO")
        #endif
        #if OpenCombine
        names.append("OpenCombine")
        #endif
        return names.isEmpty ? [] : ["--traits", names.joined(separator: ",")]
    }
}
