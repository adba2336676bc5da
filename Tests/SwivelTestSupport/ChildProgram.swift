// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program of this package that tests run as a child process.
package struct ChildProgram {
    /// How a run ended.
    package struct Outcome {
        /// It ended by itself, without an error, and printed "passed" at the end.
        package let passed: Bool
        package let output: String
    }

    private let name: String

    package init(_ name: String) { self.name = name }

    /// Runs the program, for this many seconds at most: one that hangs is a failure like others.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], endAfter seconds: Double = 60
    ) throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = try executable()
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
        let text = String(decoding: bytes, as: UTF8.self)
        let passed = process.terminationReason == .exit && process.terminationStatus == 0
        return Outcome(passed: passed && text.hasSuffix("passed\n"), output: text)
    }

    /// Next to the tests' own bundle.
    private func executable() throws -> URL {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        var folder = URL(fileURLWithPath: bundle)
        while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        let program = folder.appendingPathComponent(name)
        try #require(FileManager.default.isExecutableFile(atPath: program.path))
        return program
    }
}
