// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The settings of a trial: `--name number` on the command line.
public struct Options: Sendable {
    /// The words that belong to no setting.
    public let words: [String]
    private var numbers: [String: Double] = [:]

    /// Reads the command line of this program. Ends it on a setting without a number.
    public init() {
        var words: [String] = []
        var rest = CommandLine.arguments.dropFirst()
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            guard let number = rest.popFirst().flatMap(Double.init) else {
                fail("\(word) needs a number")
            }
            numbers[String(word.dropFirst(2))] = number
        }
        self.words = words
    }

    /// The number of a setting.
    public subscript(_ name: String, default value: Int) -> Int {
        numbers[name].map { Int($0) } ?? value
    }

    /// The time of a setting in seconds.
    public subscript(seconds name: String, default value: Duration) -> Duration {
        numbers[name].map { .seconds($0) } ?? value
    }

    /// The seed of the trial: the setting, or a new one.
    public var seed: UInt64 { UInt64(self["seed", default: Int.random(in: 1..<1_000_000)]) }
}

/// Prints a line at once, also into a pipe.
public func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Prints to the standard error output, as it stands.
public func warn(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}

/// Ends the program with a message.
public func fail(_ message: String) -> Never {
    warn("\(message)\n")
    exit(1)
}

/// Runs a program, and ends it with a message if it throws.
public func run(_ program: () async throws -> Void) async {
    do {
        try await program()
    } catch {
        fail("\(error)")
    }
}

/// Ends the program unless a figure holds.
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fail("does not hold: \(message())") }
}

extension Duration {
    /// The time in milliseconds, to the microsecond.
    public var text: String { String(format: "%.3f ms", self / .milliseconds(1)) }
}
