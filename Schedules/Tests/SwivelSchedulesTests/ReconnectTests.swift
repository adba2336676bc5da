// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelSimulation
import Testing

@testable import SwivelSchedules

@Suite struct ReconnectTests {
    /// The instants of ten attempts, each of which fails.
    @Test(.simulated(seeds: 20)) func waitsGrowToTheLimit() async {
        let reconnect = Reconnect(Self.backoff, on: .shared)
        var waits: [Duration] = []
        for _ in 0..<8 {
            let before = World.elapsed
            await reconnect.pause()
            waits.append(World.elapsed - before)
            reconnect.failed()
        }
        let expected: [Duration] = [0, 100, 200, 400, 800, 1_600, 3_000, 3_000]
            .map { .milliseconds($0) }
        #expect(waits == expected)
    }

    @Test(.simulated(seeds: 20)) func aSessionThatHasLastedBeginsThemAnew() async throws {
        let loop = Loop.shared
        let reconnect = Reconnect(Self.backoff, on: loop)
        for _ in 0..<5 {
            await reconnect.pause()
            reconnect.failed()
        }
        await reconnect.pause()
        // Two sessions that end together are one failure.
        let began = loop.now
        try await Task.sleep(for: .seconds(2))
        reconnect.lost(began: began)
        reconnect.lost(began: began)
        let before = World.elapsed
        await reconnect.pause()
        #expect(World.elapsed - before == .milliseconds(100))
        // One that has not lasted makes them grow.
        reconnect.lost(began: loop.now)
        let later = World.elapsed
        await reconnect.pause()
        #expect(World.elapsed - later == .milliseconds(200))
    }

    private static let backoff = Backoff.exponential(
        base: .milliseconds(100), limit: .seconds(3), jitter: 1...1)
}
