// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel

/// Statements of the trial, by PostgreSQL's own client, which connects anew for each.
enum SQL {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the rows.
    static func rows(_ text: String) throws -> [[String]] {
        let (process, pipe, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text]
        process.standardOutput = pipe
        process.standardError = errors
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let message = errors.fileHandleForReading.readDataToEndOfFile()
            throw Failure(description: String(decoding: message, as: UTF8.self))
        }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The same, as often as it takes: the database may be away.
    static func run(_ text: String) async throws -> [[String]] {
        try await retry(attempts: 100, backoff: .constant(.milliseconds(200))) { try rows(text) }
    }

    static func number(_ text: String) async throws -> Int {
        Int(try await run(text).first?.first ?? "") ?? -1
    }
}
