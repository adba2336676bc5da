// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// Puts the server under the load of a process of its own, which is this program with `load`.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        let count = options["connections", default: 10_000]
        let limit = options[seconds: "limit", default: .seconds(2)]
        Sockets.allowDescriptors(count + 100)
        if options.words == ["load"] {
            let loop = try Loop(Loop.Configuration(name: "load"))
            let port = UInt16(options["port", default: 0])
            let load = try Load(connections: count, to: port, limit: limit, on: loop)
            return await load.run(for: options[seconds: "time", default: .seconds(5)])
        }
        let server = try await TimeoutServer(
            threads: options["threads", default: 2], idleAfter: limit)
        let load = try Child(
            ["load", "--port", "\(server.port)"] + CommandLine.arguments.dropFirst())
        expect(load.wait() == 0, "the load ends well")
        let (accepted, closed) = (server.accepted, server.closedIdle)
        expect(accepted == count, "the server has accepted \(accepted) of \(count) connections")
        expect(closed == count, "the server has closed \(closed) of \(count) for their silence")
        try await server.shutdown()
    }
}
