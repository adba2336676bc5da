// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// A server fires schedules, and is killed, ended, stopped and started again meanwhile. In the end
/// each tick must have fired once.
actor Trial {
    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let options: Options
    private let path: String
    private let schedules: Schedules
    private var random: SeededRandom
    private var kills = 0
    private var ends = 0
    private var stops = 0

    init(_ options: Options, at path: String, on loop: Loop) throws {
        self.options = options
        self.path = path
        self.loop = loop
        schedules = try Schedules(at: path)
        let seed = options.seed
        random = SeededRandom(seed: seed)
        say("seed \(seed)")
    }

    func run() async throws {
        let began = loop.now
        let ticks = max(options["ticks", default: 1000], 20)
        for number in 0..<20 {
            // The last job takes as long as its interval.
            try await schedules.add(
                "payout \(number)", every: .milliseconds(50),
                ticks: ticks / 20 + (number < ticks % 20 ? 1 : 0),
                work: number == 19 ? .milliseconds(50) : .microseconds(100 * number))
        }
        var server = try start()
        while try await schedules.nextInstant() != nil {
            try await loop.clock.sleep(
                for: random.time(in: .milliseconds(10)...(.milliseconds(300))))
            server = try await disturb(server)
        }
        try await end(server)
        let figures = try await schedules.figures()
        say(
            """
            \(figures.fired) ticks in \((loop.now - began).text)
            killed: \(kills) · ended: \(ends) · stopped: \(stops)
            lost: \(figures.scheduled - figures.fired) · effects: \(figures.effects) · \
            early: \(figures.early)
            """)
        expect(figures.scheduled == ticks, "the schedules have the ticks that were asked for")
        expect(figures.fired == ticks, "no tick is lost, and none has fired twice")
        expect(figures.numbers == ticks, "each tick has moved its schedule on")
        expect(figures.effects == ticks, "each tick has had its effect once")
        expect(figures.early == 0, "no tick is early")
    }

    /// Kills, ends or stops the server. Returns the one that goes on.
    private func disturb(_ server: Child) async throws -> Child {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            server.send(SIGSTOP)
            stops += 1
            try await loop.clock.sleep(for: .milliseconds(200))
            server.send(SIGCONT)
            return server
        case 1:
            try await end(server)
            ends += 1
        default:
            server.send(SIGKILL)
            server.wait()
            closePipes(to: server)
            kills += 1
        }
        return try start()
    }

    private func start() throws -> Child { try Child(["serve", path], readsOutput: true) }

    /// Ends a server once it watches for the signal: it has said that it serves.
    private func end(_ server: Child) async throws {
        for await event in loop.events(of: server.output) {
            if let error = event.error { throw error }
            break
        }
        server.send(SIGTERM)
        expect(server.wait() == 0, "a server ends by itself after SIGTERM")
        closePipes(to: server)
    }

    private func closePipes(to server: Child) {
        close(server.input)
        close(server.output)
    }
}
