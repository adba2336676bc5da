// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// Programs that stress and measure Swift concurrency in one mode. A line of the output is
/// "name|value|rule"; `Tests/Runtime/table` describes the rules.
///
/// Usage: trial stress|leaks|window|blocking|bench MODE [NUMBER]
@main
enum Trial {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let mode = Mode(rawValue: arguments[2]) else {
            print("usage: trial stress|leaks|window|blocking|bench off|timers|everything|loop")
            exit(64)
        }
        let executor = try mode.install()
        let number = arguments.count > 3 ? Int(arguments[3]) : nil
        let program: @Sendable () async -> Bool
        switch arguments[1] {
        case "stress": program = Stress(executor, seconds: number ?? 60).run
        case "leaks": program = Leaks(mode, executor, count: number ?? 1_000_000).cancelled
        case "window": program = Leaks(mode, executor, count: number ?? 100_000).window
        case "bench": program = Benchmarks(executor).run
        case "blocking": exit(Blocking.run(mode) ? 0 : 1)
        default: exit(64)
        }
        Task.detached { exit(await program() ? 0 : 1) }
        dispatchMain()
    }

    /// Prints a line of the table.
    static func row(_ name: String, _ value: some LosslessStringConvertible, _ rule: String = "") {
        print("\(name)|\(value)|\(rule)")
        fflush(nil)
    }
}
