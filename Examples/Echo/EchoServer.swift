// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Synchronization
internal import Trials

/// The watch of a listener. While connections wait that cannot be accepted the listener is ready:
/// without a pause its loop would spin.
private final class Listening: Sendable {
    private let watch = Mutex<Watch?>(nil)

    func begin(_ watch: Watch) { self.watch.withLock { $0 = watch } }

    func pause(on loop: Loop) {
        guard let watch = watch.withLock({ $0 }) else { return }
        watch.rearm(for: [])
        loop.schedule(after: .milliseconds(50)) { watch.rearm(for: .readable) }
    }
}

/// The connections of one loop: what they send goes back, and those on which no byte moves, in
/// either direction, are closed.
actor EchoServer {
    private struct Connection {
        let watch: Watch
        var idle: IdleEntry
        /// Bytes that the socket has not taken yet. Nothing is read until it has.
        var rest: ArraySlice<UInt8> = []
        /// Bytes that were on their way when the entry last expired; 0: it has not since a touch.
        var unsent: Int32 = 0
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

    /// - Parameter limit: How long no byte may move on a connection.
    init(on loop: Loop, idleAfter limit: Duration) {
        self.loop = loop
        self.limit = limit
    }

    /// Accepts connections for the servers of several loops. The first of the loops watches.
    static func listen(at listener: Int32, for servers: [EchoServer]) async {
        let loop = servers[0].loop
        for server in servers.dropFirst() { await server.prepare(at: listener) }
        // Empty until the call below has returned: only then can the watch pause.
        let watching = Listening()
        let watch = loop.watch(listener) { event in
            do {
                if let error = event.error { throw error }
                if let reason = try acceptAll(from: listener, for: servers) {
                    say("connections wait: \(reason)")
                    watching.pause(on: loop)
                }
            } catch {
                fail("no connection can be accepted any more: \(error)")
            }
        }
        watching.begin(watch)
    }

    /// The first watch of a loop takes a descriptor. None is left once clients have them all.
    private func prepare(at listener: Int32) {
        loop.watch(listener, for: []) { _ in }
    }

    /// Returns why connections wait that cannot be accepted yet.
    private static func acceptAll(
        from listener: Int32, for servers: [EchoServer]
    ) throws -> String? {
        while true {
            switch try Sockets.accept(from: listener) {
            case .none: return nil
            case .later(let reason): return reason
            case .connection(let socket):
                let server = servers[Int(socket) % servers.count]
                server.loop.execute { server.assumeIsolated { $0.adopt(socket) } }
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
            touch(socket)
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
        if count > 0 { touch(socket) }
        let rest = bytes.dropFirst(max(count, 0))
        let waited = connections[socket]?.rest.isEmpty == false
        if rest.isEmpty && !waited { return }
        connections[socket]?.rest = rest
        connections[socket]?.watch.rearm(for: rest.isEmpty ? .readable : .writable)
    }

    private func touch(_ socket: Int32) {
        connections[socket]?.idle.touch()
        connections[socket]?.unsent = 0
    }

    private func expire(_ sockets: [Int32]) {
        for socket in sockets where !isReceiving(socket) {
            closedIdle += 1
            hangUp(socket)
        }
    }

    /// Whether the other side has received bytes since the entry last expired, or gets one more
    /// limit to begin. A slow reader takes them from the system's buffer, which no write shows.
    private func isReceiving(_ socket: Int32) -> Bool {
        let unsent = Sockets.unsent(on: socket)
        guard let before = connections[socket]?.unsent, unsent != 0,
            before == 0 || unsent < before
        else { return false }
        connections[socket]?.unsent = unsent
        connections[socket]?.idle = idle.add(socket)
        return true
    }

    /// The watch ends before its descriptor is closed.
    private func hangUp(_ socket: Int32) {
        guard let connection = connections.removeValue(forKey: socket) else { return }
        connection.watch.cancel()
        connection.idle.remove()
        close(socket)
    }
}
