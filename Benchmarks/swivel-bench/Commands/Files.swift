// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit
internal import Foundation

/// The files that the command line names. One that cannot be read or written is a fault of the
/// command line: its exit code must not be that of a result.
enum Files {
    static func report(at path: String) throws -> Report {
        try read(path, as: "rows that --json has written") { try Report(json: $0) }
    }

    static func budgets(at path: String) throws -> Budgets {
        try read(path, as: "budgets") { try Budgets(json: $0) }
    }

    static func write(_ content: Data, to path: String) throws {
        do {
            try content.write(to: URL(fileURLWithPath: path))
        } catch {
            throw ValidationError("cannot write \(path): \(error.localizedDescription)")
        }
    }

    /// Writes between the marks of a file that has them.
    static func write(_ content: String, between marks: Marks, of path: String) throws {
        try write(Data(replace(marks, of: path, with: content).utf8), to: path)
    }

    static func requireMarks(_ marks: Marks, in path: String) throws {
        _ = try replace(marks, of: path, with: "")
    }

    private static func replace(
        _ marks: Marks, of path: String, with content: String
    ) throws -> String {
        let text = try read(path, as: "text") { String(decoding: $0, as: UTF8.self) }
        do {
            return try marks.replace(in: text, with: content)
        } catch {
            throw ValidationError("\(path): \(error)")
        }
    }

    private static func read<Content>(
        _ path: String, as kind: String, _ decode: (Data) throws -> Content
    ) throws -> Content {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ValidationError("cannot read \(path): \(error.localizedDescription)")
        }
        do {
            return try decode(data)
        } catch {
            throw ValidationError("\(path) holds no \(kind): \(error)")
        }
    }
}
