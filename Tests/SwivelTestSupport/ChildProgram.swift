// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program that tests run as a child process.
package struct ChildProgram {
    /// How a run ended.
    package struct Outcome {
        /// It ended by itself, without an error.
        package let succeeded: Bool
        package let output: String
        /// It also printed "passed" at the end.
        package var passed: Bool { succeeded && output.hasSuffix("passed\n") }
    }

    private let program: () throws -> URL

    /// A program of this package, by its name.
    package init(_ name: String) { program = { try Self.executable(name) } }

    /// The program of the tests themselves.
    package static var tests: ChildProgram {
        ChildProgram { URL(filePath: CommandLine.arguments[0]) }
    }

    private init(_ program: @escaping () throws -> URL) { self.program = program }

    /// Runs the program, for this many seconds at most: one that hangs is a failure like others.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], endAfter seconds: Double = 60
    ) throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = try program()
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        // A trap's backtrace takes seconds, and no test reads it.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        try process.run()
        let limit = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: limit)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        limit.cancel()
        return Outcome(
            succeeded: process.terminationReason == .exit && process.terminationStatus == 0,
            output: String(decoding: bytes, as: UTF8.self))
    }

    /// Next to the tests' own bundle.
    private static func executable(_ name: String) throws -> URL {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        var folder = URL(fileURLWithPath: bundle)
        while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        let program = folder.appendingPathComponent(name)
        try #require(FileManager.default.isExecutableFile(atPath: program.path))
        return program
    }
}
