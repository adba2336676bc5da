// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

@main
struct SwivelBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swivel-bench",
        abstract: "Swivel beside pure Dispatch, Task.sleep and raw libuv, at the same work.",
        subcommands: [Run.self, Check.self, List.self])
}
