// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct TicksTests {
    /// The ticks that a consumer sees.
    private struct Seen: Equatable, Sendable {
        let index: Int
        let scheduled: Int
        let missed: Int
        let late: Int

        init(_ tick: Tick) {
            index = tick.index
            scheduled = Int((tick.scheduled.nanoseconds - epoch.nanoseconds) / 1_000_000)
            missed = tick.missed
            late = Int(tick.lateness / .milliseconds(1))
        }

        init(_ index: Int, _ scheduled: Int, missed: Int = 0, late: Int = 0) {
            self.index = index
            self.scheduled = scheduled
            self.missed = missed
            self.late = late
        }
    }

    /// An iteration that a task continues while the test holds the time.
    private final class Course: @unchecked Sendable {
        // because one task at a time uses it: the test waits for each.
        private let loop: Loop
        private var ticks: Ticks.Iterator

        init(_ ticks: Ticks, on loop: Loop) {
            self.loop = loop
            self.ticks = ticks.makeAsyncIterator()
        }

        /// The next tick, which is due already.
        func dueTick() async -> Seen? { await ticks.next().map(Seen.init) }

        /// The next tick, after a wait for the next deadline.
        func nextTick() async throws -> Seen? {
            let tick = Task { await dueTick() }
            try await loop.waitForPending()
            moveToNext(loop)
            return await tick.value
        }
    }

    /// A body that takes as long as the interval, on the loop: the loop's other work goes on.
    @Test func aSlowBodyLetsTheLoopGoOn() async throws {
        let loop = try threadedLoop()
        let posts = Counter()
        let post = Shared<(@Sendable () -> Void)?>(nil)
        post.value = {
            posts.add()
            loop.execute { post.value?() }
        }
        let gap = await Task(executorPreference: loop.taskExecutor) {
            post.value?()
            var (last, least) = (posts.value, Int.max)
            for await tick in loop.ticks(every: .microseconds(10)) {
                if tick.index > 0 { least = min(least, posts.value - last) }
                last = posts.value
                busy(for: .microseconds(30))
                if tick.index > 200 { break }
            }
            return least
        }.value
        #expect(gap > 0)
        post.value = nil
        await loop.shutdown()
    }

    /// The first tick comes when it was asked for.
    @Test func theFirstTickComesWhenAskedFor() async throws {
        let loop = try manualLoop()
        let ticks = loop.ticks(every: .milliseconds(10), startingAfter: .milliseconds(3))
        let course = Course(ticks, on: loop)
        #expect(try await course.nextTick() == Seen(0, 3))
        #expect(try await course.nextTick() == Seen(1, 13))
    }

    /// A slow body misses instants; the policy says what becomes of them, as with timers.
    @Test func missedInstantsFollowThePolicy() async throws {
        let expected: [(MissedTicks, Seen, Seen)] = [
            (.skip, Seen(3, 40, missed: 2, late: 5), Seen(4, 50)),
            (.delay, Seen(1, 20, missed: 2, late: 25), Seen(2, 55)),
            (.burst, Seen(1, 20, late: 25), Seen(2, 30, late: 15)),
        ]
        for (missed, second, third) in expected {
            let loop = try manualLoop()
            let course = Course(loop.ticks(every: .milliseconds(10), missed: missed), on: loop)
            #expect(try await course.nextTick() == Seen(0, 10))
            moveTime(of: loop, by: .milliseconds(35))
            #expect(await course.dueTick() == second, "\(missed)")
            let last = missed == .burst ? await course.dueTick() : try await course.nextTick()
            #expect(last == third, "\(missed)")
        }
    }

    /// A cancelled task's sequence ends at once, and its timer is gone.
    @Test func aCancelledTaskEndsTheSequence() async throws {
        let loop = try manualLoop()
        let task = Task {
            var count = 0
            for await _ in loop.ticks(every: .seconds(3600)) { count += 1 }
            return count
        }
        try await loop.waitForPending()
        task.cancel()
        #expect(await task.value == 0)
        loop.runDue()
        #expect(loop.pending.isEmpty)
    }

    /// An interval that is not above zero is a mistake.
    @Test func aZeroIntervalTraps() async {
        await #expect(processExitsWith: .failure) {
            try exitTest { _ = try manualLoop().ticks(every: .zero) }
        }
    }
}

/// The forms that do not suspend, which an asynchronous function cannot name.
private func moveTime(of loop: Loop, by duration: Duration) { loop.advance(by: duration) }
private func moveToNext(_ loop: Loop) { loop.advanceToNextDeadline() }
