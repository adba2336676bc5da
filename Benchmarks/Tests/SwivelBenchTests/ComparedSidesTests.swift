// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

/// A repository with two commits, and files beside it.
struct ComparedSidesTests {
    private func inRepository(
        _ body: (_ folder: URL, _ commits: [String]) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "swivel-sides-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Tool.require(["git", "init", "--quiet"], in: folder)
        let identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
        let commits = try ["first", "second"].map { name -> String in
            try Tool.require(
                ["git"] + identity + ["commit", "--quiet", "--allow-empty", "-m", name], in: folder)
            return try #require(Tool.output(of: ["git", "rev-parse", "HEAD"], in: folder))
        }
        for name in ["a.json", "b.json"] {
            try Data("{}".utf8).write(to: folder.appending(path: name))
        }
        try body(folder, commits)
    }

    @Test func filesAreToldFromCommits() throws {
        try inRepository { folder, commits in
            let files = ["a.json", "b.json"].map { folder.appending(path: $0).path }
            let runs = try ComparedSides(files[0], files[1], in: folder)
            #expect(runs == .files(files[0], files[1]))
            let names = try ComparedSides("HEAD~1", "HEAD", in: folder)
            #expect(names == .commits(commits[0], commits[1]))
            let short = String(commits[1].prefix(9))
            let hashes = try ComparedSides(short, short, in: folder)
            #expect(hashes == .commits(commits[1], commits[1]))
        }
    }

    @Test func aFileBesideACommitIsRefused() throws {
        try inRepository { folder, _ in
            let file = folder.appending(path: "a.json").path
            #expect(throws: ValidationError.self) {
                try ComparedSides(file, "HEAD", in: folder)
            }
            #expect(throws: ValidationError.self) {
                try ComparedSides("HEAD", file, in: folder)
            }
        }
    }

    @Test func namesOfNothingAreRefused() throws {
        try inRepository { folder, _ in
            #expect(throws: ValidationError.self) {
                try ComparedSides("HEAD", "no-such-commit", in: folder)
            }
            // A tree is no commit, and a folder is no file.
            #expect(throws: ValidationError.self) {
                try ComparedSides("HEAD^{tree}", folder.path, in: folder)
            }
        }
    }
}
