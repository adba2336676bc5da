// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelSimulation
import Testing

/// Equal seeds give equal runs.
@Suite struct RepeatTests {
    @Test func eachSeedRunsTwiceAlike() async throws {
        let exploration = try await simulate(seeds: 1_000, .verified) { _ = try await program() }
        #expect(exploration.distinctTraces > exploration.runs * 9 / 10, "\(exploration)")
    }

    @Test func resultsAreEqualToo() async throws {
        for seed in UInt64(0)..<500 {
            let results = Box<[String]>([])
            for _ in 0..<2 {
                let run = try await simulate(seed: seed) {
                    results.value.append(try await program())
                }
                #expect(run.escapes == [])
            }
            #expect(results.value[0] == results.value[1])
        }
    }

    @Test(arguments: [
        SimulationStrategy.pct(depth: 4), .delayBounded(delays: 5, steps: 200),
    ])
    func otherStrategiesAreRepeatable(_ strategy: SimulationStrategy) async throws {
        let exploration = try await simulate(seeds: 300, .verified, .strategy(strategy)) {
            _ = try await program()
        }
        #expect(exploration.distinctTraces > 50, "\(exploration)")
    }

    @Test func faultsAreRepeatable() async throws {
        let exploration = try await simulate(
            seeds: 300, .verified, .cancelling, .delays(upTo: .milliseconds(20)),
            .clockJumps(upTo: .seconds(60))
        ) { _ = try? await program() }
        #expect(exploration.distinctTraces > 200, "\(exploration)")
    }

    @Test func aBodyThatTheWorldDoesNotDecideDiverges() async {
        let count = Box(0)
        let failure = await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 1, .verified) {
                count.value += 1
                for _ in 0..<count.value { await Task.yield() }
            }
        }
        #expect(failure?.reason == .diverged)
    }
}

/// Actors, groups, streams, timeouts, dictionaries, the main actor, a loop and a coalescer.
func program() async throws -> String {
    let shop = Shop()
    let screen = Screen()
    let loop = try Loop()
    let saves = Box(0)
    let save = Coalescer(on: loop, after: .milliseconds(5)) { saves.value += 1 }
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let reader = Task {
        var sum = 0
        for await number in stream {
            sum = sum &* 31 &+ number
            await screen.show("\(number)")
        }
        return sum
    }
    let sum = await withTaskGroup(of: Int.self) { group in
        for number in 0..<6 {
            group.addTask {
                try? await Task.sleep(for: .milliseconds(number % 3 * 10), tolerance: .zero)
                save.call()
                guard await shop.buy(["a", "b", "c"][number % 3]) else { return 100 }
                feed.yield(number)
                return number
            }
        }
        return await group.reduce(0) { $0 &* 7 &+ $1 }
    }
    let won = try await withTimeout(.seconds(30)) {
        for _ in 0..<3 {
            try await Task.sleep(for: .milliseconds(7))
            await Task.yield()
        }
        return "done"
    }
    let sleeper = Task.detached { () -> Int in
        do { try await Task.sleep(for: .seconds(3600)) } catch { return 1 }
        return 0
    }
    await Task.yield()
    sleeper.cancel()
    let cancelled = await sleeper.value
    feed.finish()
    let read = await reader.value
    let doubled = await Future(on: .background) { 21 }.map(on: loop) { $0 * 2 }.value
    var order = ""
    for (key, value) in Dictionary(uniqueKeysWithValues: (0..<12).map { ("k\($0)", $0) }) {
        order += key
        if value % 4 == 0 { await Task.yield() }
    }
    await save.flushAndWait()
    await loop.shutdown()
    return """
        \(sum) \(won) \(cancelled) \(read) \(doubled) \(order) \(saves.value) \
        \(await shop.log) \(await screen.lines) \(World.elapsed)
        """
}

private actor Shop {
    private var stock = ["a": 3, "b": 2, "c": 5]
    private(set) var log: [String] = []

    func buy(_ key: String) -> Bool {
        guard let count = stock[key], count > 0 else { return false }
        stock[key] = count - 1
        note(key)
        return true
    }

    private func note(_ text: String) { log.append(text) }
}

@MainActor private final class Screen {
    nonisolated init() {}

    private(set) var lines: [String] = []

    func show(_ line: String) {
        MainActor.preconditionIsolated()
        lines.append(line)
    }
}
