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

    /// Threads add IDs, move the last ones, and remove a third of them.
    private func use<Entry: Sendable>(
        _ ends: Ends, threads: Int, count: Int,
        add: @escaping @Sendable (Int, inout Seeded) -> Entry,
        move: @escaping @Sendable (Entry, inout Seeded) -> Bool,
        remove: @escaping @Sendable (Entry) -> Bool
    ) {
        var random = Seeded()
        let seeds = (0..<threads).map { _ in random.split() }
        onThreads(threads) { thread in
            var random = seeds[thread]
            var entries: [(id: Int, entry: Entry)] = []
            for id in thread * count..<(thread + 1) * count {
                entries.append((id, add(id, &random)))
                let index = random.below(entries.count)
                _ = move(entries[index].entry, &random)
                if random.below(3) == 0 {
                    let (id, entry) = entries.remove(at: index)
                    if remove(entry) { ends.removed[id].add() }
                    #expect(!move(entry, &random))
                }
                if entries.count > 64 { entries.removeFirst(32) }
            }
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
        use(
            ends, threads: threads, count: count, add: { id, _ in idle.add(id) },
            move: { entry, _ in entry.touch() }, remove: { $0.remove() })
        #expect(eventually(seconds: 60) { idle.count == 0 })
        loop.shutdown()
        #expect(ends.areOneEach)
    }

    /// An entry whose touch was heard does not expire because of an older one. The thread that
    /// touches measures; the loop lets expire.
    @Test func aTouchThatWasHeardCounts() throws {
        let loop = try threadedLoop()
        let limit = Duration.milliseconds(1)
        var random = Seeded()
        for _ in 0..<Machine.scaled(1_000) {
            let expired = Shared<LoopClock.Instant?>(nil)
            let idle = IdleTracker<Int>(
                on: loop, after: limit, resolution: .microseconds(50)
            ) { _ in expired.value = .now }
            // Before it is there: it may expire before this thread goes on.
            var touched = LoopClock.Instant.now
            let entry = idle.add(1)
            // Around the limit, where the loop looks.
            while true {
                let now = LoopClock.Instant.now
                guard entry.touch() else { break }
                touched = now
                let pause = now.advanced(by: limit - .microseconds(20))
                while LoopClock.Instant.now < pause {}
                if idle.count == 0 { break }
                if random.below(4) == 0 { break }
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
        use(
            ends, threads: threads, count: count,
            add: { id, random in
                queue.add(id, after: .microseconds(Int.random(in: -10...2_000, using: &random)))
            },
            move: { entry, random in
                entry.move(after: .microseconds(Int.random(in: -1_500...510, using: &random)))
            }, remove: { $0.remove() })
        #expect(eventually(seconds: 60) { queue.count == 0 })
        loop.shutdown()
        #expect(ends.areOneEach)
    }
}
