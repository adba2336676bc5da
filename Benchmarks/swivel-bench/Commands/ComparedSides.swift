// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

/// The two arguments of `compare`.
enum ComparedSides: Equatable {
    case files(String, String)
    /// Full hashes.
    case commits(String, String)

    /// Files where there are some of these names, else commits of the checkout in `folder`.
    ///
    /// A file beside a commit is refused: the runs of commits take turns, and one that was made at
    /// another time cannot.
    init(_ before: String, _ after: String, in folder: URL) throws {
        switch (Self.isFile(before), Self.isFile(after)) {
        case (true, true): self = .files(before, after)
        case (false, false):
            self = .commits(
                try Self.commit(before, in: folder), try Self.commit(after, in: folder))
        case (true, false), (false, true):
            let missing = Self.isFile(before) ? after : before
            throw ValidationError(
                "\(missing) is no file: compare two runs, or two commits, which take turns")
        }
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue
    }

    private static func commit(_ name: String, in folder: URL) throws -> String {
        let command = ["git", "rev-parse", "--verify", "--quiet", "\(name)^{commit}"]
        guard let hash = Tool.output(of: command, in: folder) else {
            throw ValidationError("\(name) is neither a file nor a commit of \(folder.path)")
        }
        return hash
    }
}
