// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

@main
struct SwivelBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swivel-bench",
        abstract: "Swivel beside Dispatch, NIO, Swift concurrency and libuv, at the same work.",
        subcommands: [
            Run.self, Check.self, Compare.self, Page.self, Readme.self, Profile.self,
            List.self,
        ])
}
