// SPDX-License-Identifier: Apache-2.0
import Swivel

@main
struct Server {
    static func main() async throws {
        let loop = try Loop(.init(name: "server"))
        let signals = loop.signals([.terminate, .interrupt])

        // One timer for all connections. touch() costs about 2 ns.
        let idle = IdleTracker<Int>(on: loop, after: .seconds(30)) { ids in
            for id in ids { print("close \(id)") }
        }
        let connection = idle.add(7)
        connection.touch()

        let reply = try await withTimeout(.seconds(2)) {
            try await retry(attempts: 3) { try await ask("ping") }
        }
        print("\(reply); Control-C ends the server")

        // Waits for SIGTERM or Control-C, then runs accepted work.
        for await _ in signals { break }
        await loop.shutdown(.drain(within: .seconds(5)))
    }

    static func ask(_ question: String) async throws -> String { "pong" }
}
