// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Synchronization

/// A program that answers requests: a line each on its standard input, and a line each on its
/// standard output. It is started by the first request, and stays until `end()`.
package final class Child: Sendable {
    private let program: String
    private let arguments: [String]
    private let limit: UInt64
    private let process = Mutex<ChildProcess?>(nil)

    /// - Parameter limit: the nanoseconds after which a request without an answer is a failure.
    package init(
        program: String, arguments: [String] = [], limit: UInt64 = 60_000_000_000
    ) {
        self.program = program
        self.arguments = arguments
        self.limit = limit
    }

    /// Whether the program is there.
    package var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// The number of the process while it runs.
    package var processID: Int32? { process.withLock { $0?.id } }

    /// Asks for one answer and waits for it.
    ///
    /// - Throws: `BenchFailure` with what the child said, if that is an error or no answer. A child
    ///   that dies, does not answer in time or answers something else is ended, and the next request
    ///   starts another one.
    package func ask(_ request: String) throws -> ChildAnswer {
        try process.withLock { process in
            let running = try process ?? ChildProcess(program, arguments)
            process = running
            do {
                let line = try running.exchange(request, until: Clocks.wall() + limit)
                return try ChildAnswer(line)
            } catch let failure as ChildFailure {
                if case .refusal = failure {
                } else {
                    process = nil
                    running.kill()
                }
                throw BenchFailure("\(name) was asked \"\(request)\" and \(failure)")
            }
        }
    }

    /// Ends the process, if there is one: by the end of its input, or by force after two seconds.
    package func end() {
        process.withLock { process in
            process?.end(within: 2_000_000_000)
            process = nil
        }
    }

    private var name: String { "the child \(URL(fileURLWithPath: program).lastPathComponent)" }
}

extension Child {
    /// The child of this name, where `build-children` leaves it: in the checkout around the current
    /// folder, or around the executable.
    convenience init(built name: String) {
        let executable = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let root = Surroundings.folder(
            holding: "Benchmarks/Budgets.json", from: [current, executable])
        self.init(program: (root?.path ?? "") + "/Benchmarks/.build/children/\(name)")
    }
}

/// The ways in which a child does not answer.
enum ChildFailure: Error, CustomStringConvertible {
    /// It understood that it cannot do what it was asked.
    case refusal(String)
    case death(status: String, said: String)
    case silence(seconds: Double, said: String)
    case nonsense(String)

    var description: String {
        switch self {
        case .refusal(let text): "refused: \(text)"
        case .death(let status, let said): "died (\(status)); it said: \(Self.excerpt(said))"
        case .silence(let seconds, let said):
            "gave no answer in \(seconds) s; it said: \(Self.excerpt(said))"
        case .nonsense(let text): "answered nonsense: \(Self.excerpt(text))"
        }
    }

    /// The end of a long text has the reason.
    private static func excerpt(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? "nothing" : text.count > 500 ? "…" + text.suffix(500) : text
    }
}
