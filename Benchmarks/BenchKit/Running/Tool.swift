// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Another program, by its path or found in PATH.
package enum Tool {
    /// Runs a command to its end, with all that it prints on standard error, and returns its exit
    /// code.
    ///
    /// - Parameter isQuiet: whether to drop its standard output.
    package static func run(_ command: [String], in folder: URL, isQuiet: Bool = false) throws
        -> Int32
    {
        let process = self.process(command, in: folder)
        process.standardOutput = isQuiet ? FileHandle.nullDevice : FileHandle.standardError
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The same for a command that has to go well.
    package static func require(_ command: [String], in folder: URL) throws {
        let code = try run(command, in: folder)
        guard code == 0 else {
            throw BenchFailure("\(command.joined(separator: " ")) ended with \(code)")
        }
    }

    /// The output of a command, without the last line's end; `nil` if it fails.
    package static func output(of command: [String], in folder: URL? = nil) -> String? {
        let process = self.process(command, in: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func process(_ command: [String], in folder: URL?) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let folder { process.currentDirectoryURL = folder }
        return process
    }
}
