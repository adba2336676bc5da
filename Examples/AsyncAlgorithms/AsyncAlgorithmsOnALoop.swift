// SPDX-License-Identifier: Apache-2.0

internal import AsyncAlgorithms
internal import Swivel

/// swift-async-algorithms on a loop's clock: its timers, debounces and throttles are nodes of the
/// loop's wheel.
@main
enum AsyncAlgorithmsOnALoop {
    static func main() async throws {
        let loop = try Loop(Loop.Configuration(name: "example"))
        try expect(await ticks(on: loop) == 5, "five ticks, each at its instant or later")
        try expect(await debounced(on: loop) == ["swivel", "swivel loop"], "the last of each rush")
        try expect(await throttled(on: loop) < 100, "fewer than were sent")
        try expect(loop.metrics.fired > 0, "the loop has kept the time")
        _ = await loop.shutdown()
        print("All of it ran on \(loop)'s clock.")
    }

    /// A timer.
    private static func ticks(on loop: Loop) async -> Int {
        let start = loop.now
        var count = 0
        for await instant in AsyncTimerSequence(interval: .milliseconds(10), clock: loop.clock) {
            count += 1
            print("tick \(count) at \(instant - start)")
            guard instant - start >= .milliseconds(10) * count, count < 5 else { break }
        }
        return count
    }

    /// Typing, in two rushes with a pause between them.
    private static func debounced(on loop: Loop) async -> [String] {
        let (keys, typist) = AsyncStream<String>.makeStream()
        Task {
            for text in ["s", "sw", "swi", "swivel"] { typist.yield(text) }
            try await loop.clock.sleep(for: .milliseconds(200))
            for text in ["swivel l", "swivel loop"] { typist.yield(text) }
            try await loop.clock.sleep(for: .milliseconds(200))
            typist.finish()
        }
        var searched: [String] = []
        for await text in keys.debounce(for: .milliseconds(50), clock: loop.clock) {
            print("search for '\(text)'")
            searched.append(text)
        }
        return searched
    }

    /// A sensor that sends more than anybody wants to see.
    private static func throttled(on loop: Loop) async -> Int {
        let (values, sensor) = AsyncStream<Int>.makeStream()
        Task {
            for value in 0..<100 {
                sensor.yield(value)
                try await loop.clock.sleep(for: .milliseconds(1))
            }
            sensor.finish()
        }
        var shown = 0
        for await _ in values._throttle(for: .milliseconds(20), clock: loop.clock) { shown += 1 }
        print("\(shown) of 100 values were shown")
        return shown
    }

    private static func expect(_ condition: Bool, _ what: String) throws {
        if !condition { throw Surprise(what: what) }
    }

    private struct Surprise: Error {
        let what: String
    }
}
