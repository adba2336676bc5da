// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import SwivelSimulation
internal import Trials

/// This computer's own network, for programs that are written against `NetworkNode`: TCP on
/// 127.0.0.1, and a loop that watches the sockets. Every name is this computer.
final class SocketNode: NetworkNode {
    private let loop: Loop
    private let ports = Ports()

    init() throws { loop = try Loop(Loop.Configuration(name: "sockets")) }

    func listen(on port: Int) async throws -> any ConnectionListener {
        let (socket, real) = try Sockets.listen(on: 0)
        await ports.set(port, real)
        return SocketListener(socket, on: loop)
    }

    func connect(to host: String, port: Int) async throws -> any DuplexConnection {
        guard let real = await ports.real(port) else { throw POSIXError(.ECONNREFUSED) }
        return SocketConnection(try Sockets.connect(to: real), on: loop)
    }

    /// Ends all connections: tasks that wait get an error.
    func close() { loop.shutdown() }

    /// The ports of the system behind those of the program.
    private actor Ports {
        private var real: [Int: UInt16] = [:]

        func set(_ port: Int, _ number: UInt16) { real[port] = number }
        func real(_ port: Int) -> UInt16? { real[port] }
    }
}

/// A socket whose readiness a task can wait for.
private final class Descriptor: Sendable {
    let number: Int32
    private let loop: Loop

    init(_ number: Int32, on loop: Loop) {
        self.number = number
        self.loop = loop
    }

    deinit { Foundation.close(number) }

    /// Suspends until the socket is readable; throws if the loop has ended.
    func readable() async throws {
        for await _ in loop.events(of: number) { return }
        throw CancellationError()
    }

    func shutDown() { shutdown(number, Int32(SHUT_RDWR)) }
}

private final class SocketListener: ConnectionListener {
    private let descriptor: Descriptor
    private let loop: Loop

    init(_ socket: Int32, on loop: Loop) {
        descriptor = Descriptor(socket, on: loop)
        self.loop = loop
    }

    func accept() async throws -> any DuplexConnection {
        while true {
            if case .connection(let socket) = try Sockets.accept(from: descriptor.number) {
                return SocketConnection(socket, on: loop)
            }
            try await descriptor.readable()
        }
    }

    func close() { descriptor.shutDown() }
}

private final class SocketConnection: DuplexConnection {
    private let descriptor: Descriptor

    init(_ socket: Int32, on loop: Loop) { descriptor = Descriptor(socket, on: loop) }

    func send(_ bytes: [UInt8]) async throws {
        // Its messages are a byte, for which a socket always has room.
        guard write(descriptor.number, bytes, bytes.count) == bytes.count else {
            throw POSIXError(.EPIPE)
        }
    }

    func receive() async throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count >= 0 { return count == 0 ? nil : Array(buffer.prefix(count)) }
            guard errno == EAGAIN else { throw POSIXError(.ECONNRESET) }
            try await descriptor.readable()
        }
    }

    func close() { descriptor.shutDown() }
}
