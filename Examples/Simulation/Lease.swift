// SPDX-License-Identifier: Apache-2.0

internal import SwivelSimulation
internal import Trials

/// Three computers that elect a leader: the one with the lease of a fourth computer leads, and
/// renews it in time.
///
/// A leader that the network has cut off stops by its own clock. The planted bug: it counts the
/// lease from the moment at which the answer came. The server counts from an earlier one, when it
/// sent the answer, and may have given the lease to another by then.
struct Lease: Sendable {
    private static let length = Duration.seconds(10)
    private static let port = 4711
    let isCorrected: Bool

    /// The leaders that have acted, by the numbers of their leases. Only growing numbers are in
    /// order: an older leader must not act after a newer one.
    final class Record: @unchecked Sendable {
        // because the tasks of a world take turns.
        private var newest = 0
        private(set) var broken: String?
        private(set) var acts = 0

        func act(_ name: String, _ number: Int) {
            acts += 1
            if number < newest {
                broken =
                    broken ?? "\(name) led with lease \(number) after lease \(newest) had begun"
            }
            newest = max(newest, number)
        }
    }

    /// Half a minute of a network that loses connections, cuts a computer off, and restarts one.
    func run() async throws {
        let network = World.network
        network.latency = .milliseconds(5)...(.milliseconds(400))
        network.lossOfConnections = 0.02
        let record = Record()
        network.node("server").run { await Self.serve(on: $0) }
        let names = ["a", "b", "c"]
        for name in names {
            network.node(name).run { await campaign(as: name, on: $0, record) }
        }
        try await pass(.seconds(4), record)
        network.partition([names.randomElement() ?? "a"])
        try await pass(.seconds(12), record)
        network.heal()
        network.restart(names.randomElement() ?? "a", after: .seconds(1))
        try await pass(.seconds(14), record)
        if record.acts == 0 { throw Broken(description: "no computer has ever led") }
    }

    /// Lets time pass, and ends the run as soon as the promise is broken.
    private func pass(_ time: Duration, _ record: Record) async throws {
        let end = World.elapsed + time
        while World.elapsed < end {
            try await Task.sleep(for: .milliseconds(250))
            if let broken = record.broken { throw Broken(description: broken) }
        }
    }

    /// Gives the lease to one computer at a time. A request is the first byte of a name; the answer
    /// is the number of the lease, 0 if another has it.
    private static func serve(on node: any NetworkNode) async {
        let book = Book()
        guard let listener = try? await node.listen(on: port) else { return }
        await withTaskGroup(of: Void.self) { group in
            while let connection = try? await listener.accept() {
                group.addTask {
                    while let request = try? await connection.receive(), let name = request.first {
                        let number = await book.request(from: name)
                        guard (try? await connection.send([number])) != nil else { break }
                    }
                    connection.close()
                }
            }
        }
    }

    private actor Book {
        private var number: UInt8 = 0
        private var holder: UInt8 = 0
        private var end = ContinuousClock.now

        func request(from name: UInt8) -> UInt8 {
            let now = ContinuousClock.now
            if holder == name || now >= end {
                if holder != name || now >= end { number += 1 }
                holder = name
                end = now + Lease.length
                return number
            }
            return 0
        }
    }

    /// Asks for the lease again and again, and leads while it has it.
    private func campaign(as name: String, on node: any NetworkNode, _ record: Record) async {
        let holding = Holding()
        async let leading: Void = {
            while !Task.isCancelled {
                if let number = await holding.number { record.act(name, number) }
                try? await Task.sleep(for: .milliseconds(250))
            }
        }()
        while !Task.isCancelled {
            if let connection = try? await node.connect(to: "server", port: Self.port) {
                while let (number, asked) = await request(name, over: connection) {
                    let begin = isCorrected ? asked : ContinuousClock.now
                    if number > 0 { await holding.set(number, until: begin + Self.length) }
                    try? await Task.sleep(for: .milliseconds(number > 0 ? 3_000 : 150))
                }
                connection.close()
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        await leading
    }

    /// Sends one request. Returns the answer, and when it was asked for; `nil`: the connection is
    /// lost.
    private func request(
        _ name: String, over connection: any DuplexConnection
    ) async -> (number: Int, asked: ContinuousClock.Instant)? {
        let asked = ContinuousClock.now
        guard !Task.isCancelled, (try? await connection.send(Array(name.utf8))) != nil,
            let answer = try? await connection.receive(), let number = answer.first
        else { return nil }
        return (Int(number), asked)
    }

    private actor Holding {
        private var lease: (number: Int, end: ContinuousClock.Instant)?

        var number: Int? { lease.flatMap { ContinuousClock.now < $0.end ? $0.number : nil } }

        func set(_ number: Int, until end: ContinuousClock.Instant) { lease = (number, end) }
    }

    /// The same program on real sockets and in real time, for a second.
    static func overSockets() async throws {
        let record = Record()
        let node = try SocketNode()
        let server = Task { await serve(on: node) }
        let leader = Task { await Lease(isCorrected: true).campaign(as: "a", on: node, record) }
        try await Task.sleep(for: .seconds(1))
        leader.cancel()
        node.close()
        server.cancel()
        _ = await (leader.value, server.value)
        if record.acts == 0 { throw Broken(description: "no computer has led over sockets") }
        say("lease: the same program has led over TCP, \(record.acts) times in a second")
    }
}
