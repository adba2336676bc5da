// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

@main
struct SwivelBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swivel-bench",
        abstract:
            "Swivel next to Dispatch, NIO, Swift concurrency, libuv and others, at the same work.",
        subcommands: [Run.self, Check.self, Compare.self, Page.self, List.self])
}
