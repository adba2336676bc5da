// SPDX-License-Identifier: Apache-2.0

internal import AsyncAlgorithms
internal import SwivelSimulation
internal import Trials

/// swift-async-algorithms, unchanged and on the system's clock: its instants are exact in each run.
enum Algorithms {
    static func run(seeds: Int) async throws {
        let exploration = try await simulate(seeds: seeds, .verified) {
            try await debounce()
            try await ticks()
            try await throttle()
            try await merge()
        }
        say("algorithms: \(exploration), all instants exact")
    }

    /// Two seconds of typing, a key every 0.3 s, and then a pause of 0.7 s, ten times.
    private static func debounce() async throws {
        let began = ContinuousClock.now
        let (keys, typist) = AsyncStream<Int>.makeStream()
        let typing = Task {
            for key in 0..<60 {
                typist.yield(key)
                try await Task.sleep(for: .milliseconds(key % 6 == 5 ? 1_000 : 300))
            }
            typist.finish()
        }
        var saves: [(Int, Duration)] = []
        for await key in keys.debounce(for: .milliseconds(500), clock: .continuous) {
            saves.append((key, began.duration(to: .now)))
        }
        _ = await typing.result
        for (number, save) in saves.enumerated() {
            let expected = Duration.milliseconds(2_500 * number + 2_000)
            guard save == (6 * number + 5, expected) else {
                throw Broken(description: "save \(number) is \(save), not at \(expected)")
            }
        }
        if saves.count != 10 { throw Broken(description: "\(saves.count) saves") }
    }

    /// A timer of a second, for an hour.
    private static func ticks() async throws {
        let began = ContinuousClock.now
        var count = 0
        for await _ in AsyncTimerSequence(interval: .seconds(1), clock: .continuous) {
            count += 1
            let elapsed = began.duration(to: .now)
            guard elapsed == .seconds(count) else {
                throw Broken(description: "tick \(count) comes after \(elapsed)")
            }
            if count == 3_600 { break }
        }
    }

    /// A value each 10 ms, of which one in 100 ms passes.
    private static func throttle() async throws {
        let began = ContinuousClock.now
        let (values, sensor) = AsyncStream<Int>.makeStream()
        let sending = Task {
            for value in 0..<100 {
                sensor.yield(value)
                try await Task.sleep(for: .milliseconds(10))
            }
            sensor.finish()
        }
        var instants: [Duration] = []
        for await _ in values._throttle(for: .milliseconds(100), clock: .continuous) {
            instants.append(began.duration(to: .now))
        }
        _ = await sending.result
        for (one, next) in zip(instants, instants.dropFirst()).dropLast()
        where next - one < .milliseconds(100) {
            throw Broken(description: "a value came \(next - one) after another")
        }
        if !(10...12).contains(instants.count) {
            throw Broken(description: "\(instants.count) values passed")
        }
    }

    /// Two timers in one sequence.
    private static func merge() async throws {
        let began = ContinuousClock.now
        let fast = AsyncTimerSequence(interval: .milliseconds(20), clock: .continuous)
        let slow = AsyncTimerSequence(interval: .milliseconds(50), clock: .continuous)
        var instants: [Duration] = []
        for await _ in AsyncAlgorithms.merge(fast, slow).prefix(14) {
            instants.append(began.duration(to: .now))
        }
        let expected = [20, 40, 50, 60, 80, 100, 100, 120, 140, 150, 160, 180, 200, 200]
        if instants != expected.map({ .milliseconds($0) }) {
            throw Broken(description: "merged at \(instants)")
        }
    }
}
