// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// `serve` fires the schedules that the database has, until SIGTERM. Without it, a trial starts
/// several such servers.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        let lease = options[seconds: "lease", default: .milliseconds(300)]
        let loop = try Loop(Loop.Configuration(name: "schedules"))
        if options.words == ["serve"] {
            await serve(lease: lease, on: loop)
        } else {
            let seed = options.seed
            say("seed \(seed)")
            try await Trial(options, lease: lease, seed: seed, on: loop).run()
        }
        _ = await loop.shutdown()
    }

    /// SIGTERM ends the server, and so does the end of the program that has started it.
    private static func serve(lease: Duration, on loop: Loop) async {
        // It is watched for before there is anything that it should end.
        let signals = loop.signals([.terminate, .interrupt])
        let serving = Task { await Server(process: getpid(), lease: lease, on: loop).run() }
        Task {
            for await _ in signals { serving.cancel() }
        }
        loop.watch(STDIN_FILENO, for: .hangUp) { event in
            if event.hasHungUp { serving.cancel() }
        }
        await serving.value
    }
}
