// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Synchronization
import Testing

/// Sleeps, their cancels and the loop's end, from several threads at once.
@Suite(.offPool) struct SleepRaceTests {
    private static let count = Machine.scaled(100_000, by: 5)

    /// How often sleeps ended, and how.
    private final class Ends: Sendable {
        let woke = Atomic(0)
        let cancelled = Atomic(0)
        let failed = Atomic(0)
        let early = Atomic(0)

        var all: Int {
            woke.load(ordering: .relaxed) + cancelled.load(ordering: .relaxed)
                + failed.load(ordering: .relaxed)
        }

        func sleep(_ clock: LoopClock, _ duration: Duration) async {
            let deadline = clock.now + duration
            do {
                try await clock.sleep(for: duration)
                woke.add(1, ordering: .relaxed)
                if clock.now < deadline {
                    early.add(1, ordering: .relaxed)
                }
            } catch is CancellationError {
                cancelled.add(1, ordering: .relaxed)
            } catch {
                failed.add(1, ordering: .relaxed)
            }
        }
    }

    /// R2: a task's end says that its sleep resumed it; a second resume stops the program.
    @Test(arguments: [true, false])
    func sleepsRacingTheirCancelEndOnce(onTheLoop: Bool) throws {
        let loop = try threadedLoop()
        let ends = Ends()
        let batch = 1_000
        let executor = onTheLoop ? loop.taskExecutor : nil
        var random = Seeded()
        for _ in 0..<(Self.count / batch) {
            let tasks = (0..<batch).map { _ in
                let delay = Duration.nanoseconds(Int.random(in: -1_000...20_000, using: &random))
                return Task(executorPreference: executor) { await ends.sleep(loop.clock, delay) }
            }
            onThreads(2) { half in
                for index in stride(from: half, to: batch, by: 2) { tasks[index].cancel() }
            }
            #expect(ended(Task.detached { for task in tasks { await task.value } }) != nil)
        }
        #expect(ends.all == Self.count / batch * batch)
        #expect(ends.failed.load(ordering: .relaxed) == 0)
        #expect(ends.early.load(ordering: .relaxed) == 0)
        loop.onThread {}
        loop.endTurn()
        #expect(loop.onThread { loop.metrics.pending } == 0)
        loop.shutdown()
    }

    #if os(Linux)
    #endif
}
