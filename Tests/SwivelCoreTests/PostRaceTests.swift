// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Posts from many threads: each runs once, in its thread's order (F1, T5).
@Suite(.offPool) struct PostRaceTests {
    /// A log that only the loop's thread touches while it runs.
    private final class Log: @unchecked Sendable {
        // because the loop's closures write it, and the test reads it after the shutdown.
        var entries: [(thread: Int, number: Int)] = []
    }

    private func check(_ log: Log, threads: Int, each count: Int) {
        #expect(log.entries.count == threads * count)
        var next = [Int](repeating: 0, count: threads)
        for entry in log.entries {
            if entry.number != next[entry.thread] {
                Issue.record("thread \(entry.thread): \(entry.number), not \(next[entry.thread])")
                return
            }
            next[entry.thread] += 1
        }
    }

    /// F1: eight threads, every one in order.
    @Test func postsOfEightThreadsKeepTheirOrder() throws {
        let loop = try threadedLoop()
        let log = Log()
        let count = Machine.scaled(50_000)
        onThreads(8) { thread in
            for number in 0..<count {
                loop.execute { log.entries.append((thread, number)) }
            }
        }
        loop.shutdown(.drain(within: .seconds(60)))
        check(log, threads: 8, each: count)
    }

    /// T5: posts, zero timers and past deadlines of one thread are one order.
    @Test func zeroTimersKeepTheOrderOfPosts() throws {
        let loop = try threadedLoop()
        let log = Log()
        let count = Machine.scaled(15_000)
        onThreads(4) { thread in
            for number in 0..<count {
                let work: @Sendable () -> Void = { log.entries.append((thread, number)) }
                switch number % 4 {
                case 0: loop.execute(work)
                case 1: loop.schedule(after: .zero, work)
                case 2: _ = loop.tryExecute(work)
                default: loop.schedule(at: LoopClock.Instant(nanoseconds: 1), work)
                }
            }
        }
        loop.shutdown(.drain(within: .seconds(60)))
        check(log, threads: 4, each: count)
    }

    /// F1: bursts with pauses, so that the loop parks in between: no post is left behind.
    @Test func burstsToAParkingLoopAreNotLost() throws {
        let loop = try threadedLoop()
        let ran = Counter()
        let rounds = Machine.scaled(3_000)
        onThreads(3) { thread in
            var random = Seeded(seed: UInt64(thread))
            for _ in 0..<rounds {
                let burst = Int.random(in: 1...3, using: &random)
                let done = Gate()
                for _ in 0..<burst {
                    loop.execute {
                        ran.add()
                        done.open()
                    }
                }
                if !done.wait(times: burst) { return }
                busy(for: .nanoseconds(Int.random(in: 0...20_000, using: &random)))
            }
        }
        #expect(ran.value == loop.metrics.posts)
        loop.shutdown()
    }
}
