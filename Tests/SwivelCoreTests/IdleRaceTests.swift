// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Trackers and queues of deadlines that threads use beside their loop: each ID has one end.
@Suite(.offPool) struct IdleRaceTests {
    /// How each ID ended.
    private final class Ends: Sendable {
        let expired: [Counter]
        let removed: [Counter]

        init(_ count: Int) {
            expired = (0..<count).map { _ in Counter() }
            removed = (0..<count).map { _ in Counter() }
        }

        var areOneEach: Bool {
            zip(expired, removed).allSatisfy { $0.value + $1.value == 1 }
        }
    }

    @Test(arguments: [1, 2, 4])
    func eachEntryExpiresOrIsRemoved(threads: Int) throws {
        let loop = try threadedLoop()
        let count = Machine.scaled(20_000)
        let ends = Ends(threads * count)
        let idle = IdleTracker<Int>(
            on: loop, after: .milliseconds(2), resolution: .microseconds(100)
        ) { $0.forEach { ends.expired[$0].add() } }
        var random = Seeded()
        let seeds = (0..<threads).map { _ in random.split() }
        onThreads(threads) { thread in
            var random = seeds[thread]
            var entries: [(id: Int, entry: IdleEntry)] = []
            for id in thread * count..<(thread + 1) * count {
                entries.append((id, idle.add(id)))
                let index = Int.random(in: 0..<entries.count, using: &random)
                entries[index].entry.touch()
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let (id, entry) = entries.remove(at: index)
                    if entry.remove() { ends.removed[id].add() }
                    #expect(!entry.touch())
                }
                if entries.count > 64 { entries.removeFirst(32) }
            }
        }
        #expect(eventually(seconds: 60) { idle.count == 0 })
        loop.shutdown()
        #expect(ends.areOneEach)
    }

    /// An entry whose touch was heard does not expire because of an older one. The thread that
    /// touches measures; the loop lets expire.
    @Test func aTouchThatWasHeardCounts() throws {
        let loop = try threadedLoop()
        let limit = Duration.milliseconds(1)
        for _ in 0..<Machine.scaled(1_000) {
            let expired = Shared<LoopClock.Instant?>(nil)
            let idle = IdleTracker<Int>(
                on: loop, after: limit, resolution: .microseconds(50)
            ) { _ in expired.value = .now }
            let entry = idle.add(1)
            var touched = LoopClock.Instant.now
            // Around the limit, where the loop looks.
            while true {
                let now = LoopClock.Instant.now
                guard entry.touch() else { break }
                touched = now
                let pause = now.advanced(by: limit - .microseconds(20))
                while LoopClock.Instant.now < pause {}
                if idle.count == 0 { break }
                if Int.random(in: 0..<4) == 0 { break }
            }
            #expect(eventually(seconds: 60) { expired.value != nil })
            let end = try #require(expired.value)
            guard touched.duration(to: end) >= limit else {
                Issue.record("early by \(limit - touched.duration(to: end))")
                break
            }
        }
        loop.shutdown()
    }

    @Test(arguments: [1, 2, 4])
    func eachDeadlineComesOrIsRemoved(threads: Int) throws {
        let loop = try threadedLoop()
        let count = Machine.scaled(10_000)
        let ends = Ends(threads * count)
        let queue = DeadlineQueue<Int>(on: loop) { $0.forEach { ends.expired[$0].add() } }
        var random = Seeded()
        let seeds = (0..<threads).map { _ in random.split() }
        onThreads(threads) { thread in
            var random = seeds[thread]
            var entries: [(id: Int, entry: DeadlineEntry)] = []
            for id in thread * count..<(thread + 1) * count {
                let delay = Duration.microseconds(Int.random(in: -10...2_000, using: &random))
                entries.append((id, queue.add(id, after: delay)))
                let index = Int.random(in: 0..<entries.count, using: &random)
                entries[index].entry.move(after: .microseconds(500) - delay)
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let (id, entry) = entries.remove(at: index)
                    if entry.remove() { ends.removed[id].add() }
                    #expect(!entry.move(after: .zero))
                }
                if entries.count > 64 { entries.removeFirst(32) }
            }
        }
        #expect(eventually(seconds: 60) { queue.count == 0 })
        loop.shutdown()
        #expect(ends.areOneEach)
    }
}
