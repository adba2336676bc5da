// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The program that shows what only a process's first thread can show, one case a run.
struct MainThreadProgram {
    /// How a run ended.
    struct Outcome {
        let passed: Bool
        let output: String
    }

    /// Runs a case, for a minute at most: a wait that hangs is a failure like others.
    static func run(_ name: String) throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = try executable()
        process.arguments = [name]
        process.standardOutput = output
        process.standardError = output
        // A trap's backtrace takes seconds, and no test reads it. Memory that the first thread's stack
        // held when `dispatchMain()` ended it counts as leaked.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0"]) { $1 }
        try process.run()
        let limit = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: limit)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        limit.cancel()
        let text = String(decoding: bytes, as: UTF8.self)
        let passed = process.terminationReason == .exit && process.terminationStatus == 0
        return Outcome(passed: passed && text.hasSuffix("passed\n"), output: text)
    }

    /// Beside the tests' own bundle.
    private static func executable() throws -> URL {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        var folder = URL(fileURLWithPath: bundle)
        while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        let program = folder.appendingPathComponent("MainThreadProgram")
        try #require(FileManager.default.isExecutableFile(atPath: program.path))
        return program
    }
}
