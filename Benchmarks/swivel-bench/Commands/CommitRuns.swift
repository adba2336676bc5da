// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation

/// Runs of two commits, which take turns: as the machine drifts, it drifts for both.
struct CommitRuns {
    let repository: URL
    /// The folder that everything lies in.
    let folder: URL
    /// Whether to keep what was built.
    let keepsBuilds: Bool
    /// The options of each `run`.
    let arguments: [String]
    let turns: Int

    /// One report for each commit, with the rounds of all its turns.
    func reports(before: String, after: String) throws -> [Report] {
        let worktrees = [("before", before), ("after", after)].map { role, commit in
            Worktree(
                commit: commit, repository: repository,
                folder: folder.appending(path: "\(role)-\(commit.prefix(12))"))
        }
        defer { clean(worktrees) }
        for worktree in worktrees { try worktree.make() }
        var runs = worktrees.map { _ in [Report]() }
        for turn in 0..<turns {
            // Nobody is always first.
            let order = turn.isMultiple(of: 2) ? [0, 1] : [1, 0]
            for side in order {
                note("turn \(turn + 1) of \(turns): \(worktrees[side].commit.prefix(12))")
                runs[side].append(try worktrees[side].run(arguments, turn: turn))
            }
        }
        return runs.compactMap { reports in
            reports.first.map { $0.merged(with: Array(reports.dropFirst())) }
        }
    }

    private func clean(_ worktrees: [Worktree]) {
        for worktree in worktrees { worktree.remove() }
        if !keepsBuilds { try? FileManager.default.removeItem(at: folder) }
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
