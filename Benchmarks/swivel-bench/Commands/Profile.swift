// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation

struct Profile: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print where Swivel's time goes in a scenario, or its instructions.",
        discussion: """
            Uses perf where it is installed and may sample, else valgrind's callgrind, which counts \
            instructions. Exits with 2 if neither is there.
            """)

    @Argument(help: "The scenario.")
    var scenario: String

    @Option(help: "One of its variants; the first, if not given.")
    var variant: String?

    @Option(help: "How many lines to print.")
    var lines = 30

    @Flag(help: .hidden)
    var inside = false

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
        if inside {
            for _ in 0..<3 { _ = try contest.subject.measure() }
            return
        }
        print("\(scenario), \(contest.variant): Swivel's side, three rounds")
        let folder = FileManager.default.temporaryDirectory.path
        let file = "\(folder)/swivel-profile-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let own = [
            ProcessInfo.processInfo.arguments[0], "profile", scenario, "--variant",
            contest.variant, "--inside",
        ]
        if call(["perf", "record", "-q", "-o", file] + own) {
            show(["perf", "report", "--stdio", "--no-children", "-q", "-i", file])
        } else if call(
            ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=\(file)"] + own)
        {
            show(["callgrind_annotate", "--threshold=95", file])
        } else {
            print("neither perf nor valgrind could run this")
            throw ExitCode(2)
        }
    }

    /// Runs a command with nothing printed.
    private func call(_ command: [String]) -> Bool {
        let process = self.process(command)
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
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
