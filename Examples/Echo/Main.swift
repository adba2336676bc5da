// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// `serve` echoes until SIGINT or SIGTERM. Without it, a trial puts a server under the load of a
/// process of its own, which is this program with `load`.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        let connections = options["connections", default: 10_000]
        let limit = options[seconds: "limit", default: .seconds(2)]
        Sockets.allowDescriptors(connections + 100)
        switch options.words {
        case ["load"]:
            let loop = try Loop(Loop.Configuration(name: "load"))
            let load = try Load(
                connections: connections, to: UInt16(options["port", default: 0]), limit: limit,
                on: loop)
            await load.run(for: options[seconds: "time", default: .seconds(5)])
        case ["serve"]:
            // Before clients take all descriptors: the shared loop needs some.
            let signals = Loop.shared.signals([.interrupt, .terminate])
            let (servers, port) = try await serve(options, limit: limit)
            say("\(servers.count) loops listen on port \(port)")
            for await _ in signals { return }
        default:
            let (servers, port) = try await serve(options, limit: limit)
            let arguments = CommandLine.arguments.dropFirst()
            let load = try Child(["load", "--port", "\(port)"] + arguments)
            expect(load.wait() == 0, "the load ends well")
            try await expectAllClosed(by: servers, count: connections)
        }
    }

    private static func serve(
        _ options: Options, limit: Duration
    ) async throws -> (servers: [EchoServer], port: UInt16) {
        let group = try LoopGroup(
            count: options["loops", default: 2], configuration: Loop.Configuration(name: "echo"))
        let servers = group.loops.map { EchoServer(on: $0, idleAfter: limit) }
        let (listener, port) = try Sockets.listen(on: UInt16(options["port", default: 0]))
        await EchoServer.listen(at: listener, for: servers)
        return (servers, port)
    }

    /// The server's own books agree with those of the load.
    private static func expectAllClosed(by servers: [EchoServer], count: Int) async throws {
        var (accepted, closed) = (0, 0)
        for server in servers {
            accepted += await server.accepted
            closed += await server.closedIdle
        }
        expect(accepted == count, "the server has accepted \(accepted) of \(count) connections")
        expect(closed == count, "the server has closed \(closed) of \(count) for their silence")
    }
}
