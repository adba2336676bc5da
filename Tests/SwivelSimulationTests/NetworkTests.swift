// SPDX-License-Identifier: Apache-2.0
import SwivelSimulation
import Testing

@Suite struct NetworkTests {
    /// Sends back what comes, until the connection ends.
    private static func echo(_ node: any NetworkNode) async {
        guard let listener = try? await node.listen(on: 7) else { return }
        await withTaskGroup(of: Void.self) { group in
            while let connection = try? await listener.accept() {
                group.addTask {
                    while let bytes = try? await connection.receive() {
                        guard (try? await connection.send(bytes)) != nil else { break }
                    }
                    connection.close()
                }
            }
        }
    }

    @Test(.simulated(seeds: 200, .verified)) func bytesComeInOrder() async throws {
        World.network.node("server").run { await Self.echo($0) }
        // The server listens by then.
        try await Task.sleep(for: .seconds(1))
        let connection = try await World.network.node("client").connect(to: "server", port: 7)
        for number in UInt8(0)..<20 { try await connection.send([number]) }
        var received: [UInt8] = []
        while received.count < 20, let bytes = try await connection.receive() { received += bytes }
        #expect(received == Array(0..<20))
        connection.close()
        await #expect(throws: SimulatedNetworkError.closed) { try await connection.send([1]) }
        #expect(World.elapsed < .seconds(2))
    }

    @Test(.simulated(seeds: 50)) func aPortWithoutAListenerRefuses() async throws {
        await #expect(throws: SimulatedNetworkError.refused) {
            try await World.network.node("client").connect(to: "server", port: 7)
        }
        let node = World.network.node("server")
        let listener = try await node.listen(on: 7)
        await #expect(throws: SimulatedNetworkError.inUse) { try await node.listen(on: 7) }
        let accepting = Task { try await listener.accept() }
        await Task.yield()
        listener.close()
        await #expect(throws: SimulatedNetworkError.closed) { try await accepting.value }
        _ = try await node.listen(on: 7)
    }

    @Test(.simulated(seeds: 100, .verified)) func aPartitionHoldsMessages() async throws {
        let network = World.network
        network.node("server").run { await Self.echo($0) }
        try await Task.sleep(for: .seconds(1))
        let connection = try await network.node("client").connect(to: "server", port: 7)
        network.partition(["client"], ["server"])
        try await connection.send([1])
        let answer = Task { try await connection.receive() }
        let late = Task { try await network.node("client").connect(to: "server", port: 7) }
        try await Task.sleep(for: .seconds(60))
        await #expect(throws: SimulatedNetworkError.timedOut) { try await late.value }
        let healed = World.elapsed
        network.heal()
        #expect(try await answer.value == [1])
        #expect(World.elapsed - healed < .seconds(1))
    }

    @Test(.simulated(seeds: 100, .verified)) func aDisconnectBreaksThoseOfThePair() async throws {
        let network = World.network
        network.node("server").run { await Self.echo($0) }
        try await Task.sleep(for: .seconds(1))
        let connections = [
            try await network.node("one").connect(to: "server", port: 7),
            try await network.node("other").connect(to: "server", port: 7),
        ]
        network.disconnect("server", "one")
        network.disconnect("one", "other")
        await #expect(throws: SimulatedNetworkError.reset) { try await connections[0].receive() }
        try await connections[1].send([1])
        #expect(try await connections[1].receive() == [1])
    }

    /// They wait, in order, for who accepts them.
    @Test(.simulated(seeds: 50, .verified)) func connectionsWaitForAnAccept() async throws {
        let listener = try await World.network.node("server").listen(on: 7)
        for number in UInt8(0)..<3 {
            let connection = try await World.network.node("client").connect(to: "server", port: 7)
            try await connection.send([number])
        }
        for number in UInt8(0)..<3 { #expect(try await listener.accept().receive() == [number]) }
    }

    @Test(.simulated(seeds: 100, .verified)) func aRestartBreaksConnections() async throws {
        let network = World.network
        let starts = Box(0)
        network.node("server").run { node in
            starts.value += 1
            await Self.echo(node)
        }
        try await Task.sleep(for: .seconds(1))
        let connection = try await network.node("client").connect(to: "server", port: 7)
        let waiting = Task { try await connection.receive() }
        await Task.yield()
        network.restart("server", after: .seconds(5))
        await #expect(throws: SimulatedNetworkError.reset) { try await waiting.value }
        await #expect(throws: SimulatedNetworkError.refused) {
            try await network.node("client").connect(to: "server", port: 7)
        }
        try await Task.sleep(for: .seconds(6))
        let other = try await network.node("client").connect(to: "server", port: 7)
        try await other.send([9])
        #expect(try await other.receive() == [9])
        #expect(starts.value == 2)
    }

    @Test func connectionsGetLostAsOftenAsAsked() async throws {
        let lost = Box(0)
        try await simulate(seeds: 200) {
            World.network.lossOfConnections = 0.1
            World.network.node("server").run { await Self.echo($0) }
            try await Task.sleep(for: .seconds(1))
            let connection = try await World.network.node("client").connect(to: "server", port: 7)
            do {
                try await connection.send([1])
                _ = try await connection.receive()
            } catch let error as SimulatedNetworkError where error == .reset { lost.value += 1 }
        }
        // Two messages each: 19 of 100.
        #expect((20...60).contains(lost.value), "\(lost.value)")
    }

    @Test(.simulated(seeds: 100, .verified)) func aCancelledReceiveEnds() async throws {
        World.network.node("server").run { await Self.echo($0) }
        try await Task.sleep(for: .seconds(1))
        let connection = try await World.network.node("client").connect(to: "server", port: 7)
        let waiting = Task { try await connection.receive() }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await connection.send([3])
        #expect(try await connection.receive() == [3])
    }
}
