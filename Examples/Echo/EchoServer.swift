// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// The connections of one loop: what they send goes back, and those that are silent are closed.
actor EchoServer {
    private struct Connection {
        let watch: Watch
        let idle: IdleEntry
        /// Bytes that the socket has not taken yet. Nothing is read meanwhile.
        var rest: ArraySlice<UInt8> = []
    }

    private nonisolated let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let limit: Duration
    private lazy var idle = IdleTracker<Int32>(on: loop, after: limit) { [weak self] sockets in
        self?.assumeIsolated { $0.expire(sockets) }
    }
    private var connections: [Int32: Connection] = [:]
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private(set) var accepted = 0
    private(set) var closedIdle = 0

    /// - Parameter limit: How long a connection may be silent.
    init(on loop: Loop, idleAfter limit: Duration) {
        self.loop = loop
        self.limit = limit
    }

    /// Accepts connections for the servers of several loops. The first of the loops watches.
    static func listen(at listener: Int32, for servers: [EchoServer]) {
        servers[0].loop.watch(listener) { event in
            do {
                if let error = event.error { throw error }
                while let socket = try Sockets.accept(from: listener) {
                    let server = servers[Int(socket) % servers.count]
                    server.loop.execute { server.assumeIsolated { $0.adopt(socket) } }
                }
            } catch {
                fail("no connection can be accepted any more: \(error)")
            }
        }
    }

    func adopt(_ socket: Int32) {
        accepted += 1
        let watch = loop.watch(socket) { [weak self] event in
            self?.assumeIsolated { $0.hear(event, socket) }
        }
        connections[socket] = Connection(watch: watch, idle: idle.add(socket))
    }

    private func hear(_ event: WatchEvent, _ socket: Int32) {
        guard let connection = connections[socket] else { return }
        guard event.error == nil else { return hangUp(socket) }
        if !connection.rest.isEmpty { return send(connection.rest, socket) }
        let count = read(socket, &buffer, buffer.count)
        if count > 0 {
            connection.idle.touch()
            send(buffer[..<count], socket)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            hangUp(socket)
        }
    }

    /// Writes what the socket takes, and waits with the rest until it takes more.
    private func send(_ bytes: ArraySlice<UInt8>, _ socket: Int32) {
        let count = bytes.withUnsafeBytes {
            Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 || errno == EAGAIN || errno == EINTR else { return hangUp(socket) }
        let rest = bytes.dropFirst(max(count, 0))
        let waited = connections[socket]?.rest.isEmpty == false
        if rest.isEmpty && !waited { return }
        connections[socket]?.rest = rest
        connections[socket]?.watch.rearm(for: rest.isEmpty ? .readable : .writable)
    }

    private func expire(_ sockets: [Int32]) {
        closedIdle += sockets.count
        sockets.forEach { hangUp($0) }
    }

    /// The watch ends before its descriptor is closed.
    private func hangUp(_ socket: Int32) {
        guard let connection = connections.removeValue(forKey: socket) else { return }
        connection.watch.cancel()
        connection.idle.remove()
        close(socket)
    }
}
