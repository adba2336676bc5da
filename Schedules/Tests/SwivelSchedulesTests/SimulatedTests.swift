// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import SwivelCore
import SwivelSimulation
import Testing

@testable import SwivelSchedules

/// Processes that are killed, paused and cut off at every step, in worlds of a seed.
@Suite struct SimulatedTests {
    @Test(.simulated(seeds: 100), arguments: [0, 0.01, 0.05])
    func whateverHappensEachTickFiresAsPromised(lossOfConnections: Double) async throws {
        let trial = SimulatedTrial(lossOfConnections)
        try await trial.run()
        trial.check()
    }
}

/// **Thread:** a world's.
private final class SimulatedTrial: @unchecked Sendable {
    // because one thread runs a world.
    private final class Server: @unchecked Sendable {
        // because one thread runs a world.
        var engine: Engine?
        var work: Task<Void, Never>?
        var isDead = false
    }

    private static let ticks = 8
    private let store: MemoryStore
    private var servers: [Server] = []
    /// Effects outside of the database.
    private var mails: [String] = []

    init(_ lossOfConnections: Double) {
        store = MemoryStore()
        store.lossOfConnections = lossOfConnections
    }

    func run() async throws {
        for number in 0..<3 {
            try add("locked \(number)", "locked")
            try add("leased \(number)", "leased")
        }
        try add("broken", "broken")
        store.refusals["leased 0"] = 3
        for _ in 0..<3 { servers.append(start()) }
        while !isDone {
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...400)))
            disturb()
        }
        store.lossOfConnections = 0
        for server in servers { await server.engine?.drain(within: .seconds(5)) }
        for server in servers { await server.work?.value }
    }

    private func add(_ name: String, _ job: String) throws {
        var schedule = Schedule(name, job: job, .every(.milliseconds(100), startingAt: Date()))
        schedule.missed = .all
        schedule.attempts = 3
        schedule.backoff = .constant(.milliseconds(30))
        try store.add(schedule)
    }

    private var isDone: Bool { store.rows.allSatisfy { $0.number >= Self.ticks } }

    private func start() -> Server {
        let server = Server()
        var jobs = Jobs()
        jobs.add("locked", batch: 2) { tick, transaction in
            try await transaction.query(tick.idempotencyKey)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...30)))
        }
        jobs.add("broken", batch: 1) { tick, transaction in
            try await transaction.query("never")
            throw Broken()
        }
        jobs.add("leased") { [self] tick in
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...30)))
            if !server.isDead { mails.append(tick.idempotencyKey) }
        }
        var settings = EngineSettings()
        settings.lease = .milliseconds(200)
        settings.grace = .milliseconds(50)
        settings.connections = 2
        settings.concurrency = 2
        settings.reconnect = .exponential(base: .milliseconds(10), limit: .milliseconds(100))
        var logger = Logger(label: "simulation")
        logger.logLevel = .critical
        let client = MemoryStore.Client(store: store, process: servers.count) { server.isDead }
        let engine = Engine(client, jobs, settings, Telemetry(logger), on: .shared)
        server.engine = engine
        server.work = Task { await engine.run() }
        return server
    }

    private func disturb() {
        let victim = Int.random(in: servers.indices)
        switch Int.random(in: 0..<4) {
        case 0:
            // A kill: nothing of the process has an effect any more, and another one starts.
            let server = servers[victim]
            server.isDead = true
            store.endSessions { _ in Bool.random() }
            Task { await server.engine?.drain(within: .zero) }
            servers[victim] = start()
        case 1: store.endSessions { $0.process == victim }
        case 2: store.endSessions { _ in true }
        default: break
        }
    }

    func check() {
        for row in store.rows {
            let ticks = store.ticks.filter { $0.schedule == row.name }
            #expect(ticks.map(\.number) == Array(0..<row.number), "\(row.name) has a gap")
            let isBroken = row.job == "broken"
            #expect(ticks.allSatisfy { $0.kind == (isBroken ? .discarded : .done) })
            if isBroken { #expect(ticks.allSatisfy { $0.attempts == 3 }) }
            let keys = ticks.map { "swivel/\(row.name)/\($0.number)" }
            if row.job == "locked" {
                let effects = store.effects.filter { $0.hasPrefix("swivel/\(row.name)/") }
                #expect(effects.sorted() == keys.sorted(), "\(row.name): exactly once")
            }
            if row.job == "leased" {
                #expect(Set(mails).isSuperset(of: keys), "\(row.name): at least once")
            }
        }
        #expect(!store.effects.contains("never"))
    }
}
