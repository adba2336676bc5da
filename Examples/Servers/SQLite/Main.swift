// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// `serve FILE` fires the schedules of a file, until SIGTERM. Without it, a trial starts such a
/// server again and again.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        let loop = try Loop(Loop.Configuration(name: "schedules"))
        if options.words.count == 2, options.words[0] == "serve" {
            try await serve(options.words[1], on: loop)
        } else {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "swivel-schedules-\(getpid())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "schedules.sqlite").path
            try await Trial(options, at: path, on: loop).run()
        }
        _ = await loop.shutdown()
    }

    /// SIGTERM ends the server, and so does the end of the program that has started it.
    private static func serve(_ path: String, on loop: Loop) async throws {
        // It is watched for before there is anything that it should end.
        let signals = loop.signals([.terminate, .interrupt])
        let schedules = try Schedules(at: path)
        let serving = Task { try await Server(of: schedules, on: loop).run() }
        Task {
            for await _ in signals { serving.cancel() }
        }
        loop.watch(STDIN_FILENO, for: .hangUp) { event in
            if event.hasHungUp { serving.cancel() }
        }
        say("serving")
        do {
            try await serving.value
        } catch  where serving.isCancelled {
            // GRDB has left a read or a write for the next process.
        }
    }
}
