// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import Swivel

/// Very many connections that send messages and time the echoes. A fifth of them falls silent after
/// the first message, and the others at the end. The server must close each of them, and none
/// before its limit.
public actor Load {
    private struct Connection {
        let watch: Watch
        /// When the last message was about to be sent whose echo has come; at first, when it
        /// connected. A later message may be on its way while the server closes the connection.
        var heard: LoopClock.Instant
        /// When the last message was about to be sent.
        var sent: LoopClock.Instant
        /// Bytes of the echo that are to come.
        var missing = 0
    }

    private static let message = [UInt8](repeating: 0x2E, count: 64)

    private let loop: Loop
    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let limit: Duration
    private let sockets: [(socket: Int32, start: LoopClock.Instant)]
    private var connections: [Int32: Connection] = [:]
    private var buffer = [UInt8](repeating: 0, count: 4096)
    private var roundTrips: [Duration] = []
    private var closed = 0
    private var early = 0
    private var longestSilence = Duration.zero
    private let (ends, end) = AsyncStream<Void>.makeStream()

    /// Connects. Blocks until then, so this is not for a loop.
    public init(connections count: Int, to port: UInt16, limit: Duration, on loop: Loop) throws {
        self.loop = loop
        self.limit = limit
        sockets = try (0..<count).map { _ in
            let start = loop.now
            return (try Sockets.connect(to: port), start)
        }
    }

    /// Sends for `time`, with four messages a limit on each connection, and waits for the server to
    /// close all of them.
    public func run(for time: Duration) async {
        for (socket, start) in sockets {
            let watch = loop.watch(socket) { [weak self] event in
                self?.assumeIsolated { $0.hear(event, socket) }
            }
            connections[socket] = Connection(watch: watch, heard: start, sent: start)
        }
        let start = loop.now
        let silent = sockets.count / 5
        let batches = 100
        for await tick in loop.ticks(every: limit / (4 * batches), missed: .burst) {
            let (round, batch) = tick.index.quotientAndRemainder(dividingBy: batches)
            for number in stride(from: batch, to: sockets.count, by: batches)
            where round == 0 || number >= silent {
                send(on: sockets[number].socket)
            }
            if loop.now - start >= time { break }
        }
        report(after: loop.now - start)
        // Far more time than the server needs: what is open then was forgotten.
        let patience = loop.schedule(after: limit * 10) { [end] in end.finish() }
        if closed < sockets.count { for await _ in ends {} }
        patience.cancel()
        say(
            """
            closed while idle: \(closed) · early: \(early) · forgotten: \(connections.count)
            longest silence before a close: \(longestSilence.text)
            """)
        expect(early == 0, "no connection is closed before its limit")
        expect(connections.isEmpty, "no connection is forgotten")
    }

    /// One message at a time.
    private func send(on socket: Int32) {
        guard connections[socket]?.missing == 0 else { return }
        connections[socket]?.sent = loop.now
        let count = Foundation.send(socket, Self.message, Self.message.count, Int32(MSG_NOSIGNAL))
        // A socket without unsent data takes the whole message. An error shows at the next read.
        connections[socket]?.missing = max(count, 0)
    }

    private func hear(_ event: WatchEvent, _ socket: Int32) {
        guard let connection = connections[socket] else { return }
        let count = event.error == nil ? read(socket, &buffer, buffer.count) : 0
        if count > 0 {
            connections[socket]?.missing -= count
            if connection.missing > count { return }
            connections[socket]?.heard = connection.sent
            roundTrips.append(loop.now - connection.sent)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            closed += 1
            let silence = loop.now - connection.heard
            if silence < limit { early += 1 }
            longestSilence = max(longestSilence, silence)
            connection.watch.cancel()
            connections[socket] = nil
            close(socket)
            if connections.isEmpty { end.finish() }
        }
    }

    private func report(after time: Duration) {
        let trips = roundTrips.sorted()
        expect(!trips.isEmpty, "messages come back")
        let shares = [0.5, 0.9, 0.99, 1].map { share in
            "\(Int(share * 100)) %: \(trips[Int(Double(trips.count - 1) * share)].text)"
        }
        say(
            """
            connections: \(sockets.count) · messages: \(trips.count), \
            \(Int(Double(trips.count) / (time / .seconds(1)))) a second
            round trips: \(shares.joined(separator: " · "))
            """)
    }
}
