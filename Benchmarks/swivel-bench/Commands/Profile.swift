// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Profile: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print where Swivel's time goes in a scenario, or its instructions.",
        discussion: """
            Uses perf where it is installed and may sample, else valgrind's callgrind, which counts \
            instructions. Exits with 2, and says why, if neither can run.
            """)

    @Argument(help: "The scenario.")
    var scenario: String

    @Option(help: "One of its variants; the first, if not given.")
    var variant: String?

    @Option(help: "How many lines to print.")
    var lines = 30

    /// In the process that is sampled: for how many seconds, three rounds at least.
    @Option(help: .hidden)
    var inside: Double?

    func run() throws {
        guard let kind = Catalogue.all.first(where: { $0.name == scenario }) else {
            let known = Catalogue.all.map { $0.name }.joined(separator: ", ")
            throw ValidationError("no scenario \(scenario): one of \(known)")
        }
        let contests = kind.contests(Plan(isQuick: true))
        guard let contest = contests.first(where: { variant == nil || $0.variant == variant })
        else {
            throw ValidationError(
                "no such variant: one of \(contests.map(\.variant).joined(separator: ", "))")
        }
        if let inside {
            let end = Clocks.wall() + UInt64(inside * 1e9)
            var rounds = 0
            while rounds < 3 || Clocks.wall() < end {
                _ = try contest.subject.measure()
                rounds += 1
            }
            return
        }
        print("\(scenario), \(contest.variant): Swivel's side")
        let folder = FileManager.default.temporaryDirectory.path
        let file = "\(folder)/swivel-profile-\(ProcessInfo.processInfo.processIdentifier)"
        defer {
            for path in [file, plain(file)] { try? FileManager.default.removeItem(atPath: path) }
        }
        let own = ProcessInfo.processInfo.arguments[0]
        let rest = ["profile", scenario, "--variant", contest.variant, "--inside"]
        // Samples need time, or the start of the process is most of them; counts do not.
        guard let refusal = fault(of: ["perf", "record", "-q", "-o", file, own] + rest + ["3"])
        else { return show(["perf", "report", "--stdio", "--no-children", "-q", "-i", file]) }
        // Debian 12's valgrind ends at debugging information as Swift 6.3 writes it.
        let stripped = fault(of: ["strip", "--strip-debug", "-o", plain(file), own]) == nil
        guard
            let other = fault(
                of: [
                    "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=\(file)",
                    stripped ? plain(file) : own,
                ] + rest + ["0"])
        else { return show(["callgrind_annotate", "--threshold=95", file]) }
        print("neither perf nor valgrind could run this; install one of them")
        print("perf: \(refusal)\nvalgrind: \(other)")
        throw ExitCode(2)
    }

    private func plain(_ file: String) -> String { "\(file)-program" }

    /// Runs a command with nothing printed. `nil`: it went well.
    private func fault(of command: [String]) -> String? {
        let process = self.process(command)
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        do { try process.run() } catch { return "\(error)" }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        process.waitUntilExit()
        if process.terminationStatus == 0 { return nil }
        return text.isEmpty ? "ended with \(process.terminationStatus)" : String(text.prefix(400))
    }

    /// Prints the first lines of a command's output.
    private func show(_ command: [String]) {
        let process = self.process(command)
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        for line in text.split(separator: "\n").prefix(max(1, lines)) { print(line.prefix(160)) }
    }

    private func process(_ command: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        return process
    }
}
