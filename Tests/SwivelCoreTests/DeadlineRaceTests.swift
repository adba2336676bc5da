// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Synchronization
import Testing

/// Deadlines that pass while their bodies end, their callers are cancelled or their loop closes.
@Suite(.offPool) struct DeadlineRaceTests {
    private static let count = Machine.scaled(20_000, by: 2)

    /// How bodies ended.
    private final class Ends: Sendable {
        let byThemselves = Atomic(0)
        let cancelled = Atomic(0)
        let early = Atomic(0)
    }

    /// Runs one body: it cannot be in time (0), cannot be late (1), or races (2, 3).
    private static func race(
        _ kind: Int, _ steps: Int, _ limit: Duration, _ ends: Ends, on loop: Loop
    ) async {
        let limit = kind == 1 ? .seconds(3600) : limit
        let end = loop.now + limit
        let isCancelled = await withDeadline(end, clock: loop.clock) {
            if kind == 0 { await untilCancelled() }
            for _ in 0..<steps { await Task.yield() }
            if Task.isCancelled && LoopClock.Instant.now < end {
                ends.early.add(1, ordering: .relaxed)
            }
            return Task.isCancelled
        }
        #expect(kind > 1 || isCancelled == (kind == 0))
        if isCancelled {
            ends.cancelled.add(1, ordering: .relaxed)
        } else {
            ends.byThemselves.add(1, ordering: .relaxed)
        }
    }

    /// Each body ends once, none too early, and nothing stays on the loop.
    @Test(arguments: [true, false]) func deadlinesRaceTheirBodies(onTheLoop: Bool) async throws {
        let loop = try threadedLoop()
        let ends = Ends()
        var random = Seeded()
        await withTaskGroup { group in
            for _ in 0..<4 {
                var random = random.split()
                let executor = onTheLoop ? loop.taskExecutor : nil
                group.addTask(executorPreference: executor) {
                    for number in 0..<(Self.count / 4) {
                        let limit = Duration.nanoseconds(random.below(40_000))
                        await Self.race(number % 4, random.below(7), limit, ends, on: loop)
                    }
                }
            }
        }
        #expect(ends.early.load(ordering: .relaxed) == 0)
        let byThemselves = ends.byThemselves.load(ordering: .relaxed)
        let cancelled = ends.cancelled.load(ordering: .relaxed)
        #expect(byThemselves + cancelled == Self.count / 4 * 4)
        #expect(min(byThemselves, cancelled) >= Self.count / 4)
        #expect(loop.metrics.pending == 0)
        #expect(await loop.shutdown().cancelledTimers == 0)
    }

    /// Bodies whose loop closes at any time end by another loop's timer, never early.
    @Test func shutdownsRaceDeadlines() async throws {
        let ends = Ends()
        var random = Seeded()
        for _ in 0..<Machine.scaled(1_000, by: 5) {
            let loop = try threadedLoop()
            let limit = Duration.microseconds(random.below(300))
            let body = Task { await Self.race(0, 0, limit, ends, on: loop) }
            for _ in 0..<random.below(200) { await Task.yield() }
            await loop.shutdown()
            await body.value
        }
        #expect(ends.early.load(ordering: .relaxed) == 0)
        #expect(ends.byThemselves.load(ordering: .relaxed) == 0)
    }

    /// A caller that is cancelled while the deadline passes.
    @Test func cancelsRaceDeadlines() async throws {
        let loop = try threadedLoop()
        var random = Seeded()
        for _ in 0..<Machine.scaled(10_000) {
            let limit = Duration.microseconds(random.below(100))
            let caller = Task {
                await withDeadline(in: limit, clock: loop.clock) {
                    await untilCancelled()
                    return Task.isCancelled
                }
            }
            for _ in 0..<random.below(20) { await Task.yield() }
            caller.cancel()
            #expect(await caller.value)
        }
        #expect(loop.metrics.pending == 0)
        await loop.shutdown()
    }
}
