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
        var limits = Limits()
        limits.lease = options[seconds: "lease", default: limits.lease]
        limits.job = options[seconds: "job-limit", default: limits.job]
        limits.drain = options[seconds: "drain", default: limits.drain]
        let loop = try Loop(Loop.Configuration(name: "schedules"))
        if options.words == ["serve"] {
            await serve(limits, on: loop)
        } else {
            let seed = options.seed
            say("seed \(seed)")
            try await Trial(options, limits, seed: seed, on: loop).run()
        }
        _ = await loop.shutdown()
    }

    /// SIGTERM drains the server, and so does the end of the program that has started it: the job
    /// that runs ends, or is cancelled when the limit has passed.
    private static func serve(_ limits: Limits, on loop: Loop) async {
        // It is watched for before there is anything that it should end.
        let signals = loop.signals([.terminate, .interrupt])
        let server = Server(process: getpid(), limits: limits, on: loop)
        let serving = Task { await server.run() }
        let drain: @Sendable () -> Void = {
            Task { await server.drain() }
            loop.schedule(after: limits.drain) { serving.cancel() }
        }
        Task {
            for await _ in signals { drain() }
        }
        loop.watch(STDIN_FILENO, for: .hangUp) { event in
            if event.hasHungUp { drain() }
        }
        await serving.value
    }
}
